import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ask, bearer, freshToken, rpc } from '../../surfaces/identity/agent.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';

test('the terminal mints tokens for the server that runs, and revokes agents of it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // What answers at the port that the terminal would think of is not asked for anything.
  let strangers = 0;
  const stranger = createServer((_, response) => {
    strangers += 1;
    response.setHeader('content-type', 'application/json').end('{"text":"a token"}');
  }).listen(0, '127.0.0.1');
  t.after(() => stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const env = {
    SERVICE_AUTH: 'required',
    SERVICE_PROVIDER: 'osv',
    SERVICE_DATA_DIR: join(folder, 'data'),
    PORT: String(port),
  };
  const { url, log, greeting } = await serve(t, { ...env, PORT: '0' });
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
  // Each surface that is enabled at the server does its own.
  const connected = await runCli(['connections', 'list'], env);
  assert.equal(connected.stdout, 'nobody has connected an account\n', connected.stderr);
  const tenants = await runCli(['tenants', 'list'], env);
  assert.equal(tenants.code, 0, tenants.stderr);
  assert.equal(strangers, 0);
});
