import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { decide, signedIn } from '../../surfaces/identity/consent-browser.ts';
import { startWholeServer } from '../../surfaces/identity/whole-server.ts';

// Hosts of others log in through the browser, with no client id that anybody has typed in.

/** A Python that has mcp. */
const python = process.env['MCP_CLIENTS_PYTHON'] ?? 'python3';
const bridge = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));

test("Python's mcp registers itself, is let in by its user and lists tools", async (t) => {
  const server = await startWholeServer(t);
  const person = await signedIn(server);
  const script = join(import.meta.dirname, 'login.py');
  const args = [script, `${server.base}/mcp`, 'http://127.0.0.1:45679/callback'];
  const child = spawn(python, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const told: Record<string, unknown>[] = [];
  for await (const line of createInterface(child.stdout)) {
    const heard = JSON.parse(line) as Record<string, unknown>;
    told.push(heard);
    if (typeof heard['visit'] !== 'string') continue;
    const back = await decide(person, heard['visit']);
    child.stdin.write(`${back.href}\n`);
  }
  assert.equal(told.length, 2, errors);
  assert.ok(Number(told[1]?.['tools']) > 0, errors);
  assert.match(String(told[1]?.['scope']), /mcp\.tools/);
});

test('mcp-remote registers itself, is let in by its user and lists tools', async (t) => {
  const server = await startWholeServer(t);
  const person = await signedIn(server);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-login-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridge, `${server.base}/mcp`, '--protocol', 'auto', '--transport', 'http-only'],
    // It finds no browser to open, and says where its user has to go.
    env: { PATH: folder, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
    stderr: 'pipe',
  });
  let spoken = '';
  const visit = Promise.withResolvers<string>();
  transport.stderr?.on('data', (chunk) => {
    spoken += chunk;
    const [address] = /https?:\/\/\S+\/oauth2\/authorize\?\S+/.exec(spoken) ?? [];
    // Not before all of the line has come.
    if (address !== undefined && !spoken.endsWith(address)) visit.resolve(address);
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    const connected = client.connect(transport);
    connected.catch(visit.reject);
    const back = await decide(person, await visit.promise);
    assert.match(back.hostname, /^(localhost|127\.0\.0\.1)$/);
    assert.equal((await fetch(back)).status, 200, 'the program that waits for its user');
    await connected;
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0, spoken);
  } finally {
    // Before the server closes, which waits for those who listen.
    await client.close();
  }
});
