import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { callOsv, outcomesIn, withIntent } from './intent-server.ts';
import { runCli } from './run-cli.ts';
import { type Served, serve } from './served.ts';
import { slowVendor } from './slow-vendor.ts';

/** A server amid so many acts (osv takes five at a time), none of which the vendor has answered. */
async function inTheMiddle(t: TestContext, count: number, env: Readonly<Record<string, string>>) {
  const vendor = await slowVendor(t);
  const dataDir = join(temporaryDirectory(t), 'data');
  const all = { ...vendor.env, ...withIntent, SERVICE_DATA_DIR: dataDir, ...env };
  const server = await serve(t, all);
  const answers = Array.from({ length: count }, (_, n) => callOsv(server.url, `X-${n}`));
  while (vendor.count() < count) await vendor.askedAgain();
  return { vendor, server, answers, env: all, log: join(dataDir, 'audit.sqlite') };
}

async function signal({ child, log }: Served, name: NodeJS.Signals, until: string): Promise<void> {
  child.kill(name);
  while (!log().includes(until)) await once(child.stderr as NodeJS.ReadableStream, 'data');
}

async function exitCode({ child }: Served): Promise<number | null> {
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  return code;
}

test('SIGTERM amid acts with an intent: they are finished, and their outcomes are in the log', async (t) => {
  const { vendor, server, answers, env, log } = await inTheMiddle(t, 4, {});
  await signal(server, 'SIGTERM', 'stopping');
  vendor.answer();
  for (const result of await Promise.all(answers)) assert.equal(result['isError'], undefined);
  assert.equal(await exitCode(server), 0);
  const outcomes = outcomesIn(log);
  assert.deepEqual(outcomes.slice(0, 4), Array(4).fill('intent'));
  assert.deepEqual(outcomes.slice(4), Array(4).fill('ok'));
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);
});

test('an act that does not finish in time is aborted, and its outcome is in the log', async (t) => {
  const short = { SERVICE_SHUTDOWN_TIMEOUT: '50ms' };
  const { server, answers, log } = await inTheMiddle(t, 4, short);
  server.child.kill('SIGTERM');
  for (const result of await Promise.all(answers)) assert.equal(result['isError'], true);
  assert.equal(await exitCode(server), 0);
  assert.match(outcomesIn(log).slice(4).join(), /^(failed \w+(,|$)){4}$/);
});

test('SIGTERM twice aborts at once, still in good order', async (t) => {
  const { server, answers, env, log } = await inTheMiddle(t, 3, {
    SERVICE_SHUTDOWN_TIMEOUT: '10m',
  });
  await signal(server, 'SIGTERM', 'stopping');
  server.child.kill('SIGTERM');
  for (const result of await Promise.all(answers)) assert.equal(result['isError'], true);
  assert.equal(await exitCode(server), 0);
  assert.match(outcomesIn(log).slice(3).join(), /^(failed \w+(,|$)){3}$/);
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);
});

test('kill -9 amid an act: its intent stands in the log without an outcome', async (t) => {
  const { server, answers, env, log } = await inTheMiddle(t, 3, {});
  const left = Promise.allSettled(answers);
  server.child.kill('SIGKILL');
  await exitCode(server);
  await left;
  assert.deepEqual(outcomesIn(log), Array(3).fill('intent'));
  assert.equal((await runCli(['audit', 'verify'], env)).code, 0);
});
