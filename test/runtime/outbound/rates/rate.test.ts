import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { RateBucket } from '../../../../runtime/outbound/rates/rate-bucket.ts';
import {
  callContext,
  caller,
  stillClock,
  testOutbound,
  testProvider,
  testTool,
} from '../harness.ts';
import { type Answer, sendJson, startUpstream } from '../upstream.ts';

const ok: Answer = (response) => sendJson(response, {});

/** A clock that a test turns. */
function turnedClock() {
  const clock = { ...stillClock(0), time: 1000, now: () => clock.time };
  return clock;
}

test('a bucket lets a burst through, then one token per interval', () => {
  const clock = turnedClock();
  const bucket = new RateBucket({ requests: 2, perMs: 1000, burst: 3 }, clock);
  const waits = Array.from({ length: 5 }, () => bucket.reserve(1, 10_000, ''));
  assert.deepEqual(waits, [0, 0, 0, 500, 1000]);
  clock.time += 10_000;
  assert.equal(bucket.reserve(3, 0, ''), 0);
});

test('a refused reservation takes nothing', () => {
  const bucket = new RateBucket({ requests: 1, perMs: 1000, burst: 1 }, turnedClock());
  assert.equal(bucket.reserve(1, 0, ''), 0);
  assert.equal(bucket.reserve(1, 500, ''), 1000);
  assert.equal(bucket.reserve(1, 500, ''), 1000);
});

test('in no span of time does a bucket give more than its burst and its rate allow', () => {
  const calls = fc.array(
    fc.record({ pause: fc.nat(3000), tokens: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 60 },
  );
  const rates = fc.record({
    requests: fc.integer({ min: 1, max: 20 }),
    perMs: fc.integer({ min: 100, max: 5000 }),
    burst: fc.integer({ min: 4, max: 10 }),
  });
  fc.assert(
    fc.property(rates, calls, (rate, sequence) => {
      const clock = turnedClock();
      const bucket = new RateBucket(rate, clock);
      const granted: { at: number; tokens: number }[] = [];
      for (const { pause, tokens } of sequence) {
        clock.time += pause;
        const wait = bucket.reserve(tokens, 5000, '');
        if (wait <= 5000) granted.push({ at: clock.time + wait, tokens });
      }
      for (const [first, { at: from }] of granted.entries()) {
        let sum = 0;
        for (const { at, tokens } of granted.slice(first)) {
          sum += tokens;
          const most = rate.burst + ((at - from + 1) * rate.requests) / rate.perMs;
          assert.ok(sum <= most + 1e-6, `${sum} tokens in ${at - from} ms`);
        }
      }
    }),
  );
});

test('a call beyond the burst waits for its token', async (t) => {
  const upstream = await startUpstream(t, ok);
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 1, perMs: 3000, burst: 1 } },
    options: { clock },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, [3000]);
});

test('a wait of more than 5 s is rate_limited_local and says how long', async (t) => {
  const upstream = await startUpstream(t, ok);
  const clock = stillClock();
  const { call, failure } = caller(t, upstream.url, {
    provider: { rate: { requests: 1, perMs: 6000, burst: 1 } },
    options: { clock },
  });
  await call();
  const error = await failure();
  assert.equal(error.code, 'rate_limited_local');
  assert.equal(error.message, 'this server calls the vendor as often as it may');
  assert.equal(error.detail.retryAfterMs, 6000);
  assert.equal(error.detail.retryable, true);
  assert.deepEqual(clock.waits, []);
  assert.equal(upstream.seen.length, 1);
});

test('a tool can cost more than one token', async (t) => {
  const upstream = await startUpstream(t, ok);
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 10, perMs: 10_000, burst: 5 } },
    tool: { rateCost: 4 },
    options: { clock },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, [3000]);
});

test('the tools of a provider share its bucket', async (t) => {
  const upstream = await startUpstream(t, ok);
  const clock = stillClock();
  const outbound = testOutbound(t, { clock });
  const provider = testProvider(upstream.url, { rate: { requests: 1, perMs: 2000, burst: 1 } });
  for (const name of ['one', 'two']) {
    await outbound.tool(provider, testTool({ name })).call({}, callContext());
  }
  assert.deepEqual(clock.waits, [2000]);
});

test('scope host gives each server its own bucket', async (t) => {
  const [a, b] = [await startUpstream(t, ok), await startUpstream(t, ok)];
  const clock = stillClock();
  const outbound = testOutbound(t, { clock });
  const rate = { requests: 1, perMs: 2000, burst: 1, scope: 'host' } as const;
  const servers = [
    { id: 'a', url: a.url },
    { id: 'b', url: b.url },
  ] as const;
  const provider = testProvider('', { rate, servers });
  for (const server of ['a', 'b']) {
    const request = testTool().request({} as never);
    const tool = testTool({ request: () => ({ ...request, server }) });
    await outbound.tool(provider, tool).call({}, callContext());
  }
  assert.deepEqual(clock.waits, []);
});

test('without a contact the rate of a vendor that wants one is halved', async (t) => {
  const upstream = await startUpstream(t, ok);
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { contactRequired: true, rate: { requests: 2, perMs: 2000, burst: 2 } },
    options: { clock, contact: undefined },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, [2000]);
});

const counted = {
  requests: 1000,
  perMs: 1000,
  limitHeader: 'X-Limit',
  remainingHeader: 'X-Remaining',
  resetHeader: 'X-Reset',
  resetKind: 'delta_s',
} as const;

test('a vendor that has nothing left until its reset is not asked before', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 200, { 'x-remaining': '0', 'x-reset': '4' }),
  );
  const clock = stillClock();
  const { call } = caller(t, upstream.url, { provider: { rate: counted }, options: { clock } });
  await call();
  await call();
  assert.deepEqual(clock.waits, [4000]);
});

test('a vendor that has less left than the bucket lowers the bucket', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 200, { 'x-remaining': '1' }),
  );
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { rate: { ...counted, requests: 1, perMs: 1000, burst: 50 } },
    options: { clock },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, []);
  await call();
  assert.deepEqual(clock.waits, [1000]);
});

test('a smaller window that is used up stops the tools that count in it, not the others', async (t) => {
  const search = { 'x-limit': '30', 'x-remaining': '0', 'x-reset': '60' };
  const core = { 'x-limit': '5000', 'x-remaining': '4999', 'x-reset': '60' };
  const upstream = await startUpstream(t, (response, { url }) =>
    sendJson(response, {}, 200, url === '/things' ? core : search),
  );
  const outbound = testOutbound(t, { clock: stillClock() });
  const provider = testProvider(upstream.url, { rate: counted });
  const request = testTool().request({} as never);
  const searching = testTool({ request: () => ({ ...request, query: { q: 'a' } }) });
  const search1 = outbound.tool(provider, searching);
  const read = outbound.tool(provider, testTool());
  await search1.call({}, callContext());
  await read.call({}, callContext());
  await read.call({}, callContext());
  await assert.rejects(search1.call({}, callContext()), { code: 'rate_limited_local' });
});

test('a smaller window that is nearly used up does not lower the bucket', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 200, { 'x-limit': '30', 'x-remaining': '1' }),
  );
  const clock = stillClock();
  const rate = { ...counted, requests: 100, perMs: 100_000, burst: 50 };
  const { call } = caller(t, upstream.url, { provider: { rate }, options: { clock } });
  for (let calls = 0; calls < 5; calls += 1) await call();
  assert.deepEqual(clock.waits, []);
});

test('429 to one call makes the next one wait', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1 ? sendJson(response, {}, 429, { 'retry-after': '60' }) : sendJson(response, {}),
  );
  const { failure } = caller(t, upstream.url, { options: { clock: stillClock() } });
  assert.equal((await failure()).code, 'rate_limited');
  const second = await failure();
  assert.equal(second.code, 'rate_limited_local');
  assert.equal(second.message, 'the vendor has asked not to be called for a while');
  assert.equal(second.detail.retryAfterMs, 60_000);
  assert.equal(upstream.seen.length, 1);
});

for (const status of [200, 201, 202, 404, 409]) {
  test(`the Retry-After of a ${status} is about one thing, and closes nothing`, async (t) => {
    const upstream = await startUpstream(t, (response, _, count) =>
      count === 1
        ? sendJson(response, {}, status, { 'retry-after': '60' })
        : sendJson(response, {}),
    );
    const clock = stillClock();
    const { call } = caller(t, upstream.url, { options: { clock } });
    await call().catch(() => undefined);
    await call();
    assert.deepEqual(clock.waits, []);
    assert.equal(upstream.seen.length, 2);
  });
}

for (const status of [403, 503]) {
  test(`the Retry-After of a ${status} closes the vendor until then`, async (t) => {
    const upstream = await startUpstream(t, (response) =>
      sendJson(response, {}, status, { 'retry-after': '60' }),
    );
    const { failure } = caller(t, upstream.url, { options: { clock: stillClock() } });
    await failure();
    assert.equal((await failure()).code, 'rate_limited_local');
    assert.equal(upstream.seen.length, 1);
  });
}

for (const [status, second] of [
  [503, undefined],
  [429, 60_000],
] as const) {
  const effect = second === undefined ? 'closes nothing' : 'is taken for a minute';
  test(`an absurd Retry-After of a ${status} ${effect}`, async (t) => {
    const upstream = await startUpstream(t, (response, _, count) => {
      const absurd = { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' };
      if (count === 1) sendJson(response, {}, status, absurd);
      else sendJson(response, {});
    });
    const { call, failure } = caller(t, upstream.url, { options: { clock: stillClock() } });
    assert.equal((await failure()).detail.retryAfterMs, 86_400_000);
    if (second === undefined) await call();
    else assert.equal((await failure()).detail.retryAfterMs, second);
    assert.equal(upstream.seen.length, second === undefined ? 2 : 1);
  });
}

test('a pause that a body asks for is kept (Stack Exchange: backoff)', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, { backoff: 3 }));
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { retry: { atBody: ['backoff'] } },
    options: { clock },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, [3000]);
});

test('a wait that a failing body asks for is kept', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1 ? sendJson(response, { wait: 1.5 }, 429) : sendJson(response, {}),
  );
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { retry: { atBody: ['wait'] } },
    options: { clock },
  });
  await call();
  assert.deepEqual(clock.waits, [1500]);
});

test('a cost that the vendor reports is charged', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 200, { 'x-cost': '5' }),
  );
  const clock = stillClock();
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 5, perMs: 5000, burst: 5, costHeader: 'X-Cost' } },
    options: { clock },
  });
  await call();
  await call();
  assert.deepEqual(clock.waits, [1000]);
});

test('a vendor gets no more requests at a time than it wants', async (t) => {
  const held: ServerResponse[] = [];
  let most = 0;
  const upstream = await startUpstream(t, async (response) => {
    most = Math.max(most, held.push(response));
    if (held.length < 2) return;
    // Time for a request too many.
    await sleep(5);
    for (const each of held.splice(0)) sendJson(each, {});
  });
  const { call } = caller(t, upstream.url, {
    provider: { rate: { requests: 1000, perMs: 1000, concurrency: 2 } },
  });
  await Promise.all(Array.from({ length: 10 }, () => call()));
  assert.equal(upstream.seen.length, 10);
  assert.equal(most, 2);
});

test('whoever waits too long for a slot is rate_limited_local', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (response) => held.resolve(() => sendJson(response, {})));
  const { call, failure } = caller(t, upstream.url, {
    provider: { rate: { requests: 1000, perMs: 1000, concurrency: 1 } },
    options: { limits: { rateWaitMs: 10 } },
  });
  const first = call();
  const release = await held.promise;
  assert.equal((await failure()).code, 'rate_limited_local');
  release();
  await first;
  assert.equal(upstream.seen.length, 1);
});

test('the line for a slot is bounded, and whoever leaves it is not served', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1 ? held.resolve(() => sendJson(response, {})) : sendJson(response, {}),
  );
  const { call, failure } = caller(t, upstream.url, {
    provider: { rate: { requests: 1000, perMs: 1000, concurrency: 1 } },
    options: { limits: { queue: 1 } },
  });
  const first = call();
  const release = await held.promise;
  const controller = new AbortController();
  const waiting = failure({}, callContext({ signal: controller.signal }));
  assert.equal((await failure()).code, 'rate_limited_local');
  controller.abort();
  assert.equal((await waiting).code, 'upstream_timeout');
  const third = call();
  release();
  await Promise.all([first, third]);
  assert.equal(upstream.seen.length, 2);
});

test('waiting for a token and for a slot together takes no longer than one wait may', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (response) => held.resolve(() => sendJson(response, {})));
  const clock = stillClock();
  const { call, failure } = caller(t, upstream.url, {
    provider: { rate: { requests: 1, perMs: 3000, burst: 1, concurrency: 1 } },
    options: { clock, limits: { rateWaitMs: 5000 } },
  });
  const first = call();
  const release = await held.promise;
  assert.equal((await failure()).code, 'rate_limited_local');
  assert.deepEqual(clock.waits, [3000, 2000]);
  release();
  await first;
});
