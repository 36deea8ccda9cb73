import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openAuditLog } from '../../../../runtime/audit/index.ts';
import { runCli } from '../run-cli.ts';
import { logWithNote, note, vkey } from './log-with-note.ts';

test('an older copy of the data is recognised, and continued by a successor', async () => {
  const { folder, env, audit } = logWithNote();
  const [data, older] = [join(folder, 'data'), join(folder, 'older')];
  cpSync(data, older, { recursive: true });
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  rmSync(data, { recursive: true });
  cpSync(older, data, { recursive: true });
  const verified = await audit('verify');
  assert.equal(verified.code, 1);
  assert.match(verified.stdout, /rolled_back/);
  const refused = await runCli(['call', 'audit', note], env);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, /rolled back/);

  const succeeded = await audit('succeed', 'an', 'older', 'copy', 'was', 'put', 'back');
  assert.equal(succeeded.code, 0, succeeded.stderr);
  assert.match(succeeded.stdout, /continued as localhost\/audit\/2/);
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  assert.equal((await audit('verify')).code, 0);
});

test('rotate makes a new key that the old one confirms; either verifies the whole log', async () => {
  const { folder, env, audit } = logWithNote();
  const rotated = await audit('rotate');
  assert.equal(rotated.code, 0, rotated.stderr);
  const [, newest = ''] = (await audit('vkey')).stdout.match(/^(\S+)\n(\S+)\n$/) ?? [];
  assert.equal((await audit('vkey')).stdout, `${newest}\n${vkey}\n`);
  assert.equal(
    rotated.stdout,
    `from entry 2 on localhost/audit is signed by a new key:
  ${newest}
the old key signs as well until ${join(folder, 'data', 'audit.previous.key')} is deleted
`,
  );
  for (const name of ['audit.key', 'audit.previous.key']) {
    assert.equal(statSync(join(folder, 'data', name)).mode & 0o777, 0o600);
  }
  const signatures = () => audit('checkpoint').then(({ stdout }) => stdout.match(/^— /gm)?.length);
  assert.equal(await signatures(), 2);
  rmSync(join(folder, 'data', 'audit.previous.key'));
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  assert.equal(await signatures(), 1);

  assert.equal((await audit('verify')).code, 0);
  const bundle = join(folder, 'bundle');
  assert.equal((await audit('export', bundle)).code, 0);
  for (const key of [newest, vkey, `${newest}\n${vkey}\n`]) {
    assert.equal((await audit('verify', bundle, key)).code, 0);
  }
});

test('rotate says why it cannot: another process has the log, or the key is configured', async () => {
  const { folder, env, audit } = logWithNote();
  const directory = join(folder, 'data');
  const log = await openAuditLog({ directory, origin: 'localhost/audit', anchors: [] });
  const locked = await audit('rotate').finally(() => log.close());
  assert.equal(locked.code, 1);
  assert.match(locked.stderr, /another process writes the audit log in .*: stop it/);
  assert.equal(existsSync(join(directory, 'audit.previous.key')), false);

  const key = readFileSync(join(directory, 'audit.key'), 'utf8').trim();
  const configured = await runCli(['audit', 'rotate'], { ...env, SERVICE_AUDIT_KEY: key });
  assert.equal(configured.code, 1);
  assert.match(
    configured.stderr,
    /set SERVICE_AUDIT_KEY to a new one and SERVICE_AUDIT_PREVIOUS_KEY/,
  );

  const none = await runCli(['audit', 'rotate'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(none.code, 1);
  assert.match(none.stderr, /there is no audit log in /);
});

test('a configured key replaces another one that is configured as the previous one, or is in a file', async () => {
  const { folder, env, audit } = logWithNote();
  const key = Buffer.alloc(32, 5).toString('base64');
  const alone = await runCli(['call', 'audit', note], { ...env, SERVICE_AUDIT_KEY: key });
  assert.equal(alone.code, 1);
  const told = alone.stdout + alone.stderr;
  assert.ok(told.includes(vkey), told);
  assert.match(told, /SERVICE_AUDIT_PREVIOUS_KEY/);
  const both = {
    ...env,
    SERVICE_AUDIT_KEY: key,
    SERVICE_AUDIT_PREVIOUS_KEY_FILE: join(folder, 'data', 'audit.key'),
  };
  assert.equal((await runCli(['call', 'audit', note], both)).code, 0);
  assert.match((await audit('vkey')).stdout, /^\S+\n\S+\n$/);
  assert.equal((await audit('verify')).code, 0);
});
