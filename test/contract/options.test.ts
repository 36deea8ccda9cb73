import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';

test('options of the harness are read', () => {
  const python = { MCP_CLIENTS_PYTHON: '/venv/bin/python' };
  const line = ['a.yaml', '--tools', '8', '--requests', '--against', 'fastmcp', 'okta'];
  assert.deepEqual(readOptions(line, python), {
    words: ['a.yaml', 'okta'],
    most: 8,
    withAnswers: false,
    json: undefined,
    peerPython: '/venv/bin/python',
    help: false,
  });
});

const wrong: readonly (readonly [readonly string[], RegExp])[] = [
  [['--tools', 'many'], /expected a count of tools from 1 behind --tools, got "many"/],
  [['--tools', '0'], /got "0"/],
  [['--tool', '8'], /Unknown option '--tool'/],
  [['--against', 'others'], /expected --against fastmcp, got "others"/],
  [['--against', 'fastmcp'], /expected a Python that has FastMCP in MCP_CLIENTS_PYTHON/],
];
for (const [line, says] of wrong) {
  test(`${line.join(' ')} is refused in words`, () => {
    assert.throws(() => readOptions(line, {}), says);
  });
}
