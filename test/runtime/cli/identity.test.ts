import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ask, bearer, freshToken, rpc } from '../../surfaces/identity/agent.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === 'object' && address);
  return String(address.port);
}

test('the terminal mints tokens for the server that runs, and revokes agents of it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PORT: await freePort(),
    SERVICE_AUTH: 'required',
    SERVICE_PROVIDER: 'osv',
    SERVICE_DATA_DIR: join(folder, 'data'),
  };
  const { url, log, greeting } = await serve(t, env);
  const base = url.origin;
  assert.match(greeting, /Authorization: Bearer \$\(npx agent-tool-server token\)/);

  const minted = await runCli(['token'], env);
  assert.equal(minted.code, 0, minted.stderr);
  const token = minted.stdout.trim();
  assert.equal((await rpc(base, 'tools/list', {}, bearer(token))).status, 200, log());
  const { status } = await ask(`${base}/agent/identity`, { headers: bearer(token) });
  assert.equal(status, 403, 'it has the scopes that were asked for, and no others');
  const wide = await runCli(['token', '--scope', 'mcp.tools api.read', '--minutes', '5'], env);
  const mine = await ask(`${base}/agent/identity`, { headers: bearer(wide.stdout.trim()) });
  assert.deepEqual(mine.json.granted_scopes, ['mcp.tools', 'api.read']);

  const agent = await freshToken(base);
  const { registration_id: id } = agent.registration;
  const listed = await runCli(['agents', 'list'], env);
  assert.match(listed.stdout, new RegExp(`^${id}  unclaimed`, 'm'));
  assert.equal((await rpc(base, 'ping', {}, bearer(agent.token))).status, 200);
  const revoked = await runCli(['agents', 'revoke', id], env);
  assert.equal(revoked.stdout, `${id} is revoked, with all its tokens\n`);
  while ((await rpc(base, 'ping', {}, bearer(agent.token))).status === 200);
  const shown = await runCli(['agents', 'show', id], env);
  assert.equal(JSON.parse(shown.stdout).status, 'revoked');

  for (const words of [
    ['token', '--scope', 'magic'],
    ['token', 'x'],
    ['agents'],
    ['agents', 'show', 'x'],
  ]) {
    const { code, stderr } = await runCli(words, env);
    assert.equal(code, 2, words.join(' '));
    assert.doesNotMatch(stderr, /\n +at /);
  }
});
