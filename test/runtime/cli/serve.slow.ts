import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { Signer } from '../../../runtime/audit/keys/signing-key.ts';
import { legacy, type RpcAnswer } from '../mcp/rpc.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';
import { slowVendor } from './slow-vendor.ts';

const { vkey } = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
const watching = { SERVICE_PROVIDER: 'osv', SERVICE_AUDIT_WITNESS_LOGS: vkey };

function toolsOf({ result = {} }: RpcAnswer['body']): { name: string }[] {
  return result['tools'] as { name: string }[];
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

const call = { method: 'tools/call', params: { name: 'osv_get', arguments: { id: 'X-1' } } };

test('a vendor whose credential is missing is marked', async (t) => {
  const { greeting } = await serve(t, { SERVICE_PROVIDER: 'slack,osv' });
  assert.match(greeting, /Slack \(no credential: see "doctor"\)$/m);
  assert.match(greeting, /OSV vulnerabilities$/m);
});

test('the default set starts without any configuration', async (t) => {
  const { url } = await serve(t);
  const { body } = await legacy(url, { method: 'tools/list' });
  const names = toolsOf(body).map((tool) => tool.name);
  for (const name of ['service_status', 'osv_get']) assert.ok(names.includes(name));
  assert.ok(!names.some((name) => name.startsWith('github_')));
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends the server with 0`, async (t) => {
    const { child, url } = await serve(t, { SERVICE_PROVIDER: 'osv' });
    await legacy(url, { method: 'ping' });
    child.kill(signal);
    assert.equal(await exitCode(child), 0);
  });
}

test('a call that does not finish in time is aborted', async (t) => {
  const vendor = await slowVendor(t);
  const { child, url } = await serve(t, { ...vendor.env, SERVICE_SHUTDOWN_TIMEOUT: '100ms' });
  const answer = legacy(url, call);
  await vendor.asked;
  child.kill('SIGTERM');
  const exit = exitCode(child);
  const { body } = await answer;
  assert.equal(body.result?.['isError'], true);
  assert.match(JSON.stringify(body.result), /the server is stopping/);
  await vendor.left;
  assert.equal(await exit, 0);
});

test('a start that fails after the server has begun to listen ends the process', async (t) => {
  const folder = temporaryDirectory(t);
  const path = join(folder, 'witness.key');
  writeFileSync(path, 'geheim\n');
  const env = { ...watching, SERVICE_DATA_DIR: folder, PORT: '0' };
  const { code, stdout, stderr } = await runCli(['serve'], env);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.ok(stderr.includes(`the signing key ${path} is damaged: expected 32 bytes`), stderr);
  assert.doesNotMatch(stderr, /geheim|\n +at /);
});

for (const [host, address] of [
  ['127.0.0.2', '127.0.0.2'],
  ['[::1]', '[::1]'],
  ['0:0:0:0:0:0:0:1', '[::1]'],
] as const) {
  test(`bound to ${host}, the server answers under that address`, async (t) => {
    const { url } = await serve(t, { HOST: host, SERVICE_PROVIDER: 'osv' });
    const { port } = url;
    const target = new URL(`http://${address}:${port}/mcp`);
    const { status } = await legacy(target, { method: 'ping' }, { origin: target.origin });
    assert.equal(status, 200);
  });
}

test('a path for MCP may have dots in its names', async (t) => {
  const { greeting } = await serve(t, { MCP_PATH: '/v1.0/...', SERVICE_PROVIDER: 'osv' });
  const [, address] = /agent-tools (\S+\/v1\.0\/\.\.\.)$/m.exec(greeting) ?? [];
  assert.equal((await legacy(new URL(address ?? ''), { method: 'ping' })).status, 200);
});

test('an audit log that cannot be opened stops the start, before anybody is told that it runs', async (t) => {
  const folder = temporaryDirectory(t);
  const database = new DatabaseSync(join(folder, 'audit.sqlite'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  const env = { SERVICE_DATA_DIR: folder, SERVICE_PROVIDER: 'osv', PORT: '0' };
  const { code, stdout, stderr } = await runCli(['serve'], env);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^agent-tool-server: the audit log \S+ has format 99, newer than the \d+ of/,
  );
  assert.doesNotMatch(stderr, /\n +at /);
});

for (const path of ['/proc/x/data', '/dev/null/data']) {
  test(`the data directory ${path} stops the start, at once`, async () => {
    const { code, stdout, stderr } = await runCli(['serve'], { PORT: '0', SERVICE_DATA_DIR: path });
    assert.equal(code, 78);
    assert.equal(stdout, '');
    assert.match(stderr, /SERVICE_DATA_DIR: expected a folder that this user may write to/);
    assert.doesNotMatch(stderr, /\n +at /);
  });
}
