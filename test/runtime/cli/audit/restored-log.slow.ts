import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { actionsIn, callOsv, outcomesIn, withIntent } from '../intent-server.ts';
import { runCli } from '../run-cli.ts';
import { type Served, serve } from '../served.ts';
import { slowVendor } from '../slow-vendor.ts';

async function stop({ child }: Served): Promise<void> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

async function readiness({ url }: Served) {
  const response = await fetch(new URL('/readyz', url));
  const { checks } = (await response.json()) as { checks: { name: string; ok: boolean }[] };
  return { status: response.status, audit: checks.find(({ name }) => name === 'audit')?.ok };
}

/** Milliseconds until which what is waited for has to be there. */
const patience = 60_000;

async function until(isThere: () => Promise<boolean> | boolean, missing: () => string) {
  const end = performance.now() + patience;
  while (!(await isThere())) {
    assert.ok(performance.now() < end, missing());
    await sleep(20);
  }
}

/** Nobody who begins to serve waits for the log to be open. */
function untilReady(served: Served): Promise<void> {
  return until(async () => (await readiness(served)).status === 200, served.log);
}

/**
 * A server with entries of which a backup, made while it ran, knows the first ones: the call's two
 * and what the server itself had written by then.
 */
async function backedUp(t: TestContext) {
  const folder = temporaryDirectory(t);
  const vendor = await slowVendor(t);
  vendor.answer();
  const anchors = { SERVICE_AUDIT_ANCHOR_DIR: join(folder, 'anchors') };
  const env = { ...vendor.env, ...withIntent, ...anchors, SERVICE_DATA_DIR: join(folder, 'data') };
  const server = await serve(t, env);
  await callOsv(server.url);
  // The server writes this one beside its calls, sooner or later: afterwards, nothing more by itself.
  const log = join(folder, 'data', 'audit.sqlite');
  await until(() => actionsIn(log).includes('KEY_ROTATED'), server.log);
  const backup = join(folder, 'backup');
  const saved = await runCli(['store', 'backup', backup], env);
  assert.equal(saved.code, 0, saved.stderr);
  const entries = Number(
    /and the audit log localhost\/audit with (\d+) entries$/m.exec(saved.stdout)?.[1],
  );
  assert.ok(entries >= 3, saved.stdout);
  assert.match(saved.stdout, /^the signing key of the log is not in it/m);
  assert.deepEqual(readdirSync(backup), ['audit.sqlite', 'manifest.json', 'store.db']);
  return { folder, vendor, env, server, backup, entries };
}

test('a backup that is older than the anchor is recognised, and continued by a successor', async (t) => {
  const { folder, vendor, env, server, backup, entries } = await backedUp(t);
  await callOsv(server.url);
  await stop(server);
  const vkey = (await runCli(['audit', 'vkey'], env)).stdout.trim();
  const log = join(folder, 'data', 'audit.sqlite');
  assert.deepEqual(outcomesIn(log), ['intent', 'ok', 'intent', 'ok']);
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);

  const fresh = join(folder, 'fresh');
  const there = { ...env, SERVICE_DATA_DIR: fresh };
  const restored = await runCli(['store', 'restore', backup], there);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(
    restored.stdout,
    new RegExp(`and the audit log localhost/audit with ${entries} entries$`, 'm'),
  );
  const keyless = await runCli(['serve'], { ...there, PORT: '0' });
  assert.equal(keyless.code, 1);
  assert.match(keyless.stderr, /signing key .*audit.key of the audit log is missing: put it back/);
  assert.match(restored.stdout, /^put its signing key back, as audit.key/m);
  copyFileSync(join(folder, 'data', 'audit.key'), join(fresh, 'audit.key'));

  const older = await serve(t, there);
  const told = /AUDIT_ROLLBACK_DETECTED: the log has (\d+) entries, an anchor knows (\d+)/.exec(
    older.log(),
  );
  assert.equal(Number(told?.[1]), entries);
  assert.ok(Number(told?.[2]) >= entries + 2, older.log());
  assert.deepEqual(await readiness(older), { status: 503, audit: false });
  const asked = vendor.count();
  const refused = await callOsv(older.url);
  assert.equal(refused['isError'], true);
  assert.match(JSON.stringify(refused), /the audit log was rolled back/);
  assert.equal(vendor.count(), asked, 'the act was done without its intent');
  const beside = await runCli(['audit', 'succeed', 'too early'], there);
  assert.equal(beside.code, 1);
  assert.match(beside.stderr, /another process writes the audit log/);
  await stop(older);

  const succeeded = await runCli(['audit', 'succeed', 'restored a backup'], there);
  assert.equal(succeeded.code, 0, succeeded.stderr);
  assert.match(succeeded.stdout, /continued as localhost\/audit\/2/);
  const successor = await serve(t, there);
  await untilReady(successor);
  assert.equal((await callOsv(successor.url))['isError'], undefined);
  await stop(successor);
  assert.deepEqual(outcomesIn(join(fresh, 'audit.sqlite')), ['intent', 'ok']);

  assert.equal((await runCli(['audit', 'verify'], there)).code, 0);
  const left = await runCli(['audit', 'verify', join(fresh, 'audit.1.sqlite'), vkey]);
  assert.equal(left.code, 0, left.stdout);
  assert.match(left.stdout, new RegExp(`^entries +${entries} checked`, 'm'));
  assert.equal((await runCli(['audit', 'verify', log, vkey])).code, 0);
});

test('a log that is there stays when a backup is restored, and goes on', async (t) => {
  const { folder, env, server, backup } = await backedUp(t);
  await callOsv(server.url);
  await stop(server);
  renameSync(join(folder, 'data', 'store.db'), join(folder, 'lost.db'));
  const restored = await runCli(['store', 'restore', backup], env);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^.* is restored: the store$/m);
  assert.match(
    restored.stdout,
    /^the audit log localhost\/audit with \d+ entries was there and stays/m,
  );
  const again = await serve(t, env);
  await untilReady(again);
  await callOsv(again.url);
  await stop(again);
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);
});

test('a backup that knows all that the anchor knows is no rollback', async (t) => {
  const { folder, env, server, backup } = await backedUp(t);
  await stop(server);
  const there = { ...env, SERVICE_DATA_DIR: join(folder, 'fresh') };
  await runCli(['store', 'restore', backup], there);
  copyFileSync(join(folder, 'data', 'audit.key'), join(folder, 'fresh', 'audit.key'));
  const again = await serve(t, there);
  await untilReady(again);
  await stop(again);
});
