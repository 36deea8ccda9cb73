import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import { echo, failing } from '../runtime/in-memory-tools.ts';

const binary = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);

interface Run {
  readonly code: number;
  readonly stdout: string;
}

/** Run `mcp-inspector --cli` against a server. */
function inspect(url: URL, ...args: string[]): Promise<Run> {
  const all = [binary, '--cli', url.href, '--transport', 'http', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { timeout: 60_000 }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}

test('mcp-inspector lists the tools', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const { code, stdout } = await inspect(url, '--method', 'tools/list');
  assert.equal(code, 0);
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['test_echo', 'test_failing'],
  );
});

test('mcp-inspector calls a tool', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const call = ['--method', 'tools/call', '--tool-name', 'test_echo', '--tool-arg', 'text=hello'];
  const { stdout } = await inspect(url, ...call);
  assert.deepEqual(JSON.parse(stdout).content, [{ type: 'text', text: 'hello' }]);
});

test('mcp-inspector sees a tool fail', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo, failing] });
  const { stdout } = await inspect(url, '--method', 'tools/call', '--tool-name', 'test_failing');
  assert.equal(JSON.parse(stdout).isError, true);
});
