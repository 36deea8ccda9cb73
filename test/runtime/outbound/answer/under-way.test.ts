import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallContext } from '#contract/caller';
import type { VendorTool } from '#contract/tool';
import { callContext, caller, stillClock, write } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

// Where somebody stops the call meanwhile, nobody hears what has become of what was sent.

const repeatable = { ...write, annotations: { ...write.annotations, idempotentHint: true } };
const keyed = { ...write, vendorKey: { in: 'header', name: 'Idempotency-Key' } } as const;
const kinds: readonly (readonly [string, Partial<VendorTool>, CallContext['mayBeDone']])[] = [
  ['a read', {}, undefined],
  ['a write', write, 'once'],
  ['an idempotent write', repeatable, 'repeatable'],
  // Another call would have another key.
  ['a write with a key of its own', keyed, 'once'],
];

for (const [what, tool, mayBeDone] of kinds) {
  test(`the call knows while ${what} is under way what a repetition would do`, async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { url } = await startUpstream(t, () => arrived.resolve());
    const leave = new AbortController();
    const context = callContext({ signal: leave.signal });
    const { failure } = caller(t, url, { tool, options: { clock: stillClock() } });
    const failed = failure({}, context);
    await arrived.promise;
    assert.equal(context.mayBeDone, mayBeDone);
    leave.abort();
    await failed;
  });
}

test('the call knows of a write that its vendor has refused for now that nothing is done', async (t) => {
  const { url } = await startUpstream(t, (response) =>
    response.writeHead(429, { 'retry-after': '1' }).end(),
  );
  const context = callContext();
  const { failure } = caller(t, url, { tool: write, options: { clock: stillClock() } });
  assert.equal((await failure({}, context)).code, 'rate_limited');
  assert.equal(context.mayBeDone, undefined);
});
