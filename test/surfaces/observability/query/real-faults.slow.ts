import assert from 'node:assert/strict';
import test from 'node:test';
import { serveObservability } from '../observing-server.ts';
import {
  startJaeger,
  startLoki,
  startPrometheus,
  startVictoriaMetrics,
} from '../real/back-ends.ts';
import { type Meddling, startMeddler } from '../real/meddler.ts';

/** What each back end is asked, which none of them minds. */
const questions = {
  log: ['logs', { logql: '{service_name="checkout"}' }],
  metric: ['metrics', { promql: 'up' }],
  trace: ['traces', { filter: { service: 'checkout' } }],
} as const;

const kinds = [
  ['loki', 'log', startLoki],
  ['prometheus', 'metric', startPrometheus],
  ['victoriametrics', 'metric', startVictoriaMetrics],
  ['jaeger', 'trace', startJaeger],
] as const;

/** What is said of an answer that was spoiled on its way. */
const said: Readonly<Record<Exclude<Meddling, 'none'>, readonly [string, RegExp]>> = {
  half: ['error', /cannot be reached|ends in the middle|answer cannot be used/],
  page: ['error', /a page of HTML, not JSON/],
  failure: ['error', /the back end failed \(status 500\)/],
  silence: ['timeout', /did not answer in time/],
  noise: ['error', /something else than telemetry/],
};

for (const [kind, signalType, startBackEnd] of kinds) {
  test(`a real ${kind} whose answers are spoiled, that stands still and that is gone`, async (t) => {
    const backEnd = await startBackEnd(t);
    const meddler = await startMeddler(t, backEnd.url);
    const { register, post } = await serveObservability(t);
    // One that is good beside it: what came from that is given in each case.
    const base = { signalType, kind, ingest: false };
    await register({ ...base, id: 'good', endpoint: backEnd.url, order: 1 });
    await register({ ...base, id: 'spoiled', endpoint: meddler.url, order: 2 });
    const [path, question] = questions[signalType];
    const ask = async (more: object = {}) => {
      const asked = { ...question, selection: { mode: 'all' }, timeoutMs: 1500, ...more };
      const { status, body } = await post(`/observability/query/${path}`, asked);
      const providers = (body['providers'] ?? []) as Provider[];
      return {
        status,
        body,
        spoiled: providers.find(({ providerId }) => providerId === 'spoiled'),
      };
    };

    const whole = await ask();
    assert.deepEqual([whole.status, whole.body['complete']], [200, ['good', 'spoiled']]);

    for (const [meddling, [status, message]] of Object.entries(said)) {
      await t.test(`${meddling}: ${status}`, async () => {
        meddler.meddling = meddling as Meddling;
        const { body, spoiled } = await ask();
        assert.deepEqual([body['partial'], body['complete']], [true, ['good']], meddling);
        assert.equal(spoiled?.status, status);
        assert.match(spoiled?.error?.message ?? '', message);
        assert.doesNotMatch(JSON.stringify(body), /abcdefghij|panic|Sign in/);
        const alone = { selection: { mode: 'one', providerId: 'spoiled' } };
        const { status: code, body: refused } = await ask(alone);
        assert.deepEqual(
          [code, refused['error']],
          status === 'timeout' ? [504, 'query_timeout'] : [502, 'provider_unavailable'],
        );
      });
    }
    meddler.meddling = 'none';
    assert.equal((await ask()).spoiled?.status, 'ok');

    await t.test('it stands still, goes on, and is gone', async () => {
      backEnd.hold();
      assert.equal((await ask()).status, 504);
      backEnd.goOn();
      const again = await ask();
      assert.deepEqual([again.status, again.body['partial']], [200, false]);
      await backEnd.kill();
      const gone = await ask();
      assert.deepEqual([gone.status, gone.body['error']], [502, 'provider_unavailable']);
    });
  });
}

interface Provider {
  readonly providerId: string;
  readonly status: string;
  readonly error?: { readonly message: string };
}
