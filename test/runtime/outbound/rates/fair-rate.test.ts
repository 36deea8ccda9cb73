import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import type { CallContext } from '#contract/caller';
import { FairRate } from '../../../../runtime/outbound/rates/fair-rate.ts';
import {
  callContext,
  failureOf,
  stillClock,
  testOutbound,
  testProvider,
  testTool,
} from '../harness.ts';
import { type Answer, sendJson, startUpstream } from '../upstream.ts';

const ok: Answer = (response) => sendJson(response, {});
const maxWait = 5000;

/** A clock that a test turns. */
function turnedClock() {
  const clock = { ...stillClock(0), time: 1000, now: () => clock.time };
  return clock;
}

const rates = fc.record({
  requests: fc.integer({ min: 1, max: 20 }),
  perMs: fc.integer({ min: 100, max: 5000 }),
  burst: fc.integer({ min: 1, max: 40 }),
});

/** What greedy tenants do: how long after the one before, which of them, and for how much. */
const greed = fc.array(
  fc.record({
    pause: fc.nat(700),
    of: fc.integer({ min: 0, max: 2 }),
    tokens: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 20, maxLength: 120 },
);

test('all tenants together never get more than the vendor lets through', () => {
  fc.assert(
    fc.property(rates, greed, (rate, sequence) => {
      const clock = turnedClock();
      const fair = new FairRate(rate, ['a', 'b', 'c'], clock);
      const granted: { at: number; tokens: number }[] = [];
      for (const { pause, of, tokens } of sequence) {
        clock.time += pause;
        const wait = fair.account('abc'.charAt(of)).reserve(tokens, maxWait, '');
        // Promises of one are not kept back behind those of others, so that each counts when it was made.
        if (wait <= maxWait) granted.push({ at: clock.time, tokens });
      }
      for (const [first, { at: from }] of granted.entries()) {
        let sum = 0;
        for (const { at, tokens } of granted.slice(first)) {
          sum += tokens;
          const most = rate.burst + ((at - from + maxWait + 1) * rate.requests) / rate.perMs;
          assert.ok(sum <= most + 1e-6, `${sum} tokens in ${at - from} ms`);
        }
      }
    }),
  );
});

test('whoever keeps to its part is let in, whatever the others take', () => {
  fc.assert(
    fc.property(rates, greed, (rate, sequence) => {
      const tenants = ['a', 'b', 'c', 'modest'];
      const interval = Math.ceil((rate.perMs * tenants.length) / rate.requests) + 1;
      const clock = turnedClock();
      const fair = new FairRate(rate, tenants, clock);
      const modest = fair.account('modest');
      let next = clock.time;
      let asked = 0;
      let told = 0;
      for (const { pause, of, tokens } of sequence) {
        clock.time += pause;
        if (clock.time >= next) {
          const wait = modest.reserve(1, maxWait, '');
          asked = wait > maxWait ? asked + 1 : 0;
          told = wait;
          // A vendor of one call every few seconds may refuse once, and says truly when to come again.
          next = clock.time + (wait > maxWait ? wait : interval);
          const isSlow = rate.burst < tenants.length;
          assert.ok(asked <= (isSlow ? tenants.length : 0), `refused for ${told} ms`);
        }
        fair.account('abc'.charAt(of)).reserve(tokens, maxWait, '');
      }
    }),
  );
});

test('a tenant that is alone has the whole rate, and others keep their bursts', () => {
  const clock = turnedClock();
  const fair = new FairRate({ requests: 100, perMs: 100_000, burst: 100 }, ['a', 'b'], clock);
  const take = (tenant: string) => {
    let taken = 0;
    while (fair.account(tenant).reserve(1, 0, '') === 0) taken += 1;
    return taken;
  };
  assert.equal(take('a'), 50);
  clock.time += 10_000;
  assert.equal(take('a'), 10);
  assert.equal(take('b'), 50);
  // Both want all there is now.
  clock.time += 10_000;
  assert.equal(take('a'), 5);
  assert.equal(take('b'), 5);
});

test('what the vendor has left is divided as the parts are', () => {
  const clock = turnedClock();
  const fair = new FairRate({ requests: 100, perMs: 3_600_000, burst: 100 }, ['a', 'b'], clock);
  // Another process has used up much of it.
  fair.account('a').lower(40);
  const take = (tenant: string) => {
    let taken = 0;
    while (fair.account(tenant).reserve(1, 0, '') === 0) taken += 1;
    return taken;
  };
  assert.equal(take('a'), 20);
  assert.equal(take('b'), 20);
});

/** One tool that two tenants call. */
function called(
  t: TestContext,
  url: string,
  changes: Parameters<typeof testProvider>[1],
  tool = {},
) {
  const outbound = testOutbound(t, { tenantsOf: () => ['acme', 'globex'], clock: stillClock() });
  const bound = outbound.tool(testProvider(url, changes), testTool(tool));
  return (tenant: string, context: Partial<CallContext> = {}) =>
    bound.call({}, callContext({ caller: { ...callContext().caller, tenant }, ...context }));
}

test('one tenant cannot use up the rate of a vendor', async (t) => {
  const upstream = await startUpstream(t, ok);
  const call = called(t, upstream.url, { rate: { requests: 10, perMs: 3_600_000, burst: 10 } });
  for (let count = 0; count < 5; count += 1) await call('acme');
  const { code, detail } = await failureOf(call('acme'));
  assert.equal(code, 'rate_limited_local');
  assert.equal(detail.retryable, true);
  for (let count = 0; count < 5; count += 1) await call('globex');
  assert.equal((await failureOf(call('globex'))).code, 'rate_limited_local');
});

test('one tenant cannot take all slots of a vendor, and those who wait take turns', async (t) => {
  const held: (() => void)[] = [];
  const done: string[] = [];
  const arrivals: (() => void)[] = [];
  const upstream = await startUpstream(t, (response) => {
    held.push(() => sendJson(response, {}));
    arrivals.shift()?.();
  });
  const arrival = () => new Promise<void>((resolve) => arrivals.push(resolve));
  const outbound = testOutbound(t, {
    tenantsOf: () => ['acme', 'globex'],
    limits: { rateWaitMs: 3_600_000, timeoutMs: 3_600_000 },
  });
  const tool = outbound.tool(
    testProvider(upstream.url, { rate: { requests: 1000, perMs: 1, burst: 1000, concurrency: 2 } }),
    testTool(),
  );
  const call = async (tenant: string) => {
    await tool.call({}, callContext({ caller: { ...callContext().caller, tenant } }));
    done.push(tenant);
  };
  const first = arrival();
  const greedy = [call('acme'), call('acme'), call('acme')];
  await first;
  const second = arrival();
  const other = call('globex');
  await second;
  assert.equal(held.length, 2);
  held[1]?.();
  await other;
  assert.deepEqual(done, ['globex']);
  for (const each of [0, 2]) {
    const next = arrival();
    held[each]?.();
    await next;
  }
  held[3]?.();
  await Promise.all(greedy);
  assert.equal(held.length, 4);
});

test('an answer that was kept for one tenant is given to no other', async (t) => {
  let asked = 0;
  const upstream = await startUpstream(t, (response) => {
    asked += 1;
    sendJson(response, {}, 200, { etag: '"1"' });
  });
  const call = called(t, upstream.url, {}, { cache: { ttlMs: 60_000 } });
  await call('acme');
  await call('acme');
  assert.equal(asked, 1);
  await call('globex');
  assert.equal(asked, 2);
  assert.equal(upstream.seen.at(-1)?.headers['if-none-match'], undefined);
});
