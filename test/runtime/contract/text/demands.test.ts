import assert from 'node:assert/strict';
import test from 'node:test';
import { effectOf, furtherDemands } from '#contract/text/demands';

test('a tool that does not say that it spares what is there may destroy it (MCP, ToolAnnotations)', () => {
  const writes = { readOnlyHint: false, openWorldHint: true };
  assert.equal(effectOf(writes), 'overwrites or deletes');
  assert.equal(effectOf({ ...writes, destructiveHint: true }), 'overwrites or deletes');
  assert.equal(effectOf({ ...writes, destructiveHint: false }), 'adds');
  assert.equal(effectOf({ ...writes, readOnlyHint: true, destructiveHint: true }), 'reads');
});

test('each demand is one sentence, and what is not demanded is not spoken of', () => {
  assert.deepEqual(furtherDemands({}), []);
  const demands = furtherDemands({
    limit: { requests: 5, perMs: 60_000, by: 'client' },
    price: { amount: '0.01', currency: 'USD' },
    idempotency: 'required',
    confirm: 'token',
    audit: 'outcome',
    task: 'optional',
  });
  assert.deepEqual(demands, [
    'At most 5 calls in 60 s per client.',
    'Costs 0.01 USD.',
    'Must bring an idempotency key.',
    'Has to be repeated with the token that the first answer gives.',
    'Audited: outcome.',
    'May go on as a task.',
  ]);
});
