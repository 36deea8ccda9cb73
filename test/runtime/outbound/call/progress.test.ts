import assert from 'node:assert/strict';
import test from 'node:test';
import { callContext, caller, stillClock } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

type Told = readonly [done: number, total: number | undefined, message: string | undefined];

/** Collects progress; `heard` is called with all of it each time. */
function listener(heard: (told: readonly Told[]) => void = () => {}) {
  const told: Told[] = [];
  const progress = (done: number, total?: number, message?: string) => {
    told.push([done, total, message]);
    heard(told);
  };
  return { told, context: callContext({ progress }) };
}

function assertGrowing(told: readonly Told[]): void {
  for (const [index, [done]] of told.entries()) {
    assert.ok(done > (told[index - 1]?.[0] ?? 0), `${done} in ${JSON.stringify(told)}`);
  }
}

const follow = { path: '/item/{id}', limit: 20 };

test('each item of a list that is read one by one is progress, one that fails too', async (t) => {
  const upstream = await startUpstream(t, (out, { url }) =>
    url === '/things' ? sendJson(out, [1, 2, 3]) : sendJson(out, {}, url === '/item/2' ? 403 : 200),
  );
  const { call } = caller(t, upstream.url, { tool: { response: { items: [], follow } } });
  const { told, context } = listener();
  await call({}, context);
  assert.deepEqual(told, [
    [1, 3, 'read 1 of 3'],
    [2, 3, 'read 2 of 3'],
    [3, 3, 'read 3 of 3'],
  ]);
});

test('a call that waits says for what: its turn, another attempt', async (t) => {
  const upstream = await startUpstream(t, (out, _, count) =>
    count === 2 ? sendJson(out, {}, 503, { 'retry-after': '2' }) : sendJson(out, {}),
  );
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 1, perMs: 1_500, burst: 1 } },
    options: { clock: stillClock() },
  });
  await call();
  const { told, context } = listener();
  await call({}, context);
  assertGrowing(told);
  const messages = told.map(([, , message]) => message);
  assert.ok(messages.includes('waiting for the rate limit for 2 s'), messages.join());
  assert.ok(messages.includes('waiting to try again after upstream_error for 2 s'));
});

test('a call that waits for a free slot says so', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (out, _, count) =>
    count === 1 ? held.resolve(() => sendJson(out, {})) : sendJson(out, {}),
  );
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 1000, perMs: 1000, concurrency: 1 } },
  });
  const first = call();
  const release = await held.promise;
  const { told, context } = listener(release);
  await Promise.all([first, call({}, context)]);
  assert.deepEqual(told, [[0.5, undefined, 'waiting for other calls']]);
});

test('while the vendor does not answer there are signs of life, and none afterwards', async (t) => {
  const enough = Promise.withResolvers<void>();
  const upstream = await startUpstream(t, async (out) => {
    await enough.promise;
    sendJson(out, {});
  });
  const clock = stillClock();
  const { call } = caller(t, upstream.url, { options: { clock } });
  const { told, context } = listener(({ length }) => length === 5 && enough.resolve());
  await call({}, context);
  assertGrowing(told);
  assert.deepEqual(told[0], [0.5, undefined, 'waiting for Acme']);
  assert.deepEqual(new Set(clock.waits), new Set([3_000]));
  const { length } = told;
  await call();
  assert.equal(told.length, length);
});

test('who did not ask for progress costs no timer', async (t) => {
  const upstream = await startUpstream(t, (out) => sendJson(out, {}));
  const clock = stillClock();
  await caller(t, upstream.url, { options: { clock } }).call();
  assert.deepEqual(clock.waits, []);
});
