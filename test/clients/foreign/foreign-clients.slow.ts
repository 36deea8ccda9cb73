import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startForeignServer, type WrongAnswer } from './foreign-server.ts';

// The clients of other languages against this server: paging, progress, questions, cancelling, and
// answers of vendors with wrong types, in each era (MCP 2026-07-28 and 2025-11-25).

const folder = mkdtempSync(join(tmpdir(), 'gosdk-'));
const goProgram = join(folder, 'gosdk');
/** A Python that has mcp and fastmcp. */
const python = process.env['MCP_CLIENTS_PYTHON'] ?? 'python3';
const session = join(import.meta.dirname, 'session.py');

before(() => {
  execFileSync('go', ['build', '-o', goProgram, '.'], { cwd: join(import.meta.dirname, 'gosdk') });
});

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly tools: number;
  readonly echo: unknown;
  readonly progress: readonly number[];
  readonly elicited: { readonly action: string; readonly content: { readonly name: string } };
  readonly cancelled: boolean;
  readonly afterwards: unknown;
  readonly refused: readonly string[];
}

function run(command: readonly string[], input: readonly WrongAnswer[]): Promise<Seen> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command.join(' ')}: ${stderr}`));
      else resolve(JSON.parse(stdout));
    });
    child.stdin?.end(JSON.stringify(input));
  });
}

const clients: readonly (readonly [name: string, command: (url: string) => readonly string[]])[] = [
  ['the Go SDK, newest revision', (url) => [goProgram, 'auto', url]],
  ['the Go SDK, 2025-11-25', (url) => [goProgram, 'legacy', url]],
  ["Python's mcp, newest revision", (url) => [python, session, 'mcp', 'auto', url]],
  ["Python's mcp, 2025-11-25", (url) => [python, session, 'mcp', 'legacy', url]],
  ['fastmcp, newest revision', (url) => [python, session, 'fastmcp', 'auto', url]],
  ['fastmcp, 2025-11-25', (url) => [python, session, 'fastmcp', 'legacy', url]],
];

for (const [name, command] of clients) {
  test(`${name}: pages, progress, a question, a cancelled call, wrong answers`, async (t) => {
    const { url, tools, wrongAnswers, stopped } = await startForeignServer(t);
    const seen = await run(command(url.href), wrongAnswers);
    assert.ok(tools > 300, 'there is more than one page of tools');
    assert.equal(seen.tools, tools);
    assert.deepEqual(seen.echo, { text: 'grüße' });
    assert.deepEqual(seen.progress, [1, 2, 3]);
    assert.equal(seen.elicited.action, 'accept');
    assert.equal(seen.elicited.content.name, 'Ada, asked: Who are you?');
    assert.equal(seen.cancelled, true);
    assert.ok(await stopped, 'the call is aborted on the server');
    assert.deepEqual(seen.afterwards, { text: 'still here' });
    assert.ok(wrongAnswers.length > 1000);
    assert.deepEqual(seen.refused, []);
  });
}
