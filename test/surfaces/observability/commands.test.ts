import assert from 'node:assert/strict';
import test from 'node:test';
import { serveObservability } from './observing-server.ts';

test('an operator does at the terminal what the routes do', async (t) => {
  const { service, written } = await serveObservability(t);
  const run = async (...words: string[]) => service.commands['observability']?.(words, {});
  const said = { id: 'a', signalType: 'log', name: 'A', kind: 'loki' };
  const json = JSON.stringify({ ...said, endpoint: 'http://127.0.0.1:3100' });
  assert.equal(await run('list'), 'no back end of telemetry is registered');
  assert.equal(await run('register', json), 'log/a is registered');
  await run('primary', 'log/a');
  assert.match((await run('list')) ?? '', /^log\/a +loki +unknown +primary +http:\/\/127/);
  assert.match((await run('collector')) ?? '', /^# generated: do not edit/);
  await run('disable', 'log/a');
  assert.equal(await run('check', 'log/a'), 'degraded: provider disabled');
  await run('remove', 'log/a');
  const [entry] = await written('OBSERVABILITY_PROVIDER_REMOVED');
  assert.deepEqual(entry?.actor, { type: 'user', id: 'operator' });

  for (const [words, reason] of [
    [['register', '{'], /JSON: is none/],
    [['register', '{"id":"a"}'], /must have required property/],
    [['register', json.replace('127.0.0.1', '169.254.169.254')], /nothing may lead to/],
    [['enable', 'a'], /named as log, metric, trace, profile/],
    [['enable', 'log/b'], /is called "b"/],
    [['fly', 'log/a'], /takes one of: list/],
    [['list', 'all'], /takes one of: list/],
    [['collector', 'apply'], /OUTPUT_PATH names no file/],
  ] as const) {
    await assert.rejects(run(...words), reason, words.join(' '));
  }
  const elsewhere = service.commands['observability']?.(['list'], { tenant: 'nobody' });
  await assert.rejects(elsewhere ?? Promise.resolve(), /there is no tenant "nobody"/);
});
