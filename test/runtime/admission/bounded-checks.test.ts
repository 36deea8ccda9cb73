import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { createValidation } from '../../../runtime/admission/steps/validate.ts';

/** Alternatives that hold each other, told apart by their kind, or by nothing. */
function union(count: number, isMarked: boolean): JsonSchema {
  const alternatives = Array.from({ length: count }, (_, index) => ({
    type: 'object',
    properties: {
      ...(isMarked && { kind: { const: `n${index}` } }),
      child: { $ref: '#/$defs/Node' },
      leaf: { const: `l${index}` },
    },
  }));
  const properties = { query: { $ref: '#/$defs/Node' } };
  return { type: 'object', properties, $defs: { Node: { anyOf: alternatives } } };
}

/** What is said of a value that is `levels` deep. */
async function said(input: JsonSchema, levels: number, end: object, each: object) {
  let query: object = end;
  for (let level = 0; level < levels; level++) query = { ...each, child: query };
  const operation = { name: 'find', input } as unknown as Parameters<
    ReturnType<typeof createValidation>
  >[0];
  const run = createValidation()(operation, async () => 'ran');
  try {
    return await run({ query }, {} as never);
  } catch (error) {
    return (error as Error).message;
  }
}

// Looking for all that is wrong would ask for the deepest value once for each way to it.
const asked: readonly (readonly [string, JsonSchema, number, object, object, RegExp])[] = [
  ['what is right', union(40, true), 60, { kind: 'n3' }, { kind: 'n0' }, /^ran$/],
  ['what is right in any of them', union(40, false), 60, { leaf: 'l3' }, {}, /^ran$/],
  ['what is wrong in one of two', union(2, true), 30, { kind: 'zz' }, { kind: 'n0' }, /"zz"|kind/],
  ['what is wrong in one of sixty', union(60, true), 20, { kind: 'zz' }, { kind: 'n0' }, /"n0"/],
  [
    'what is wrong, and nothing says in which of them',
    union(3, false),
    30,
    { leaf: 'zz' },
    {},
    /cannot be checked: alternatives that hold each other/,
  ],
];
for (const [what, schema, levels, end, each, expected] of asked) {
  test(`alternatives that hold each other take no time and no memory for ${what}`, async () => {
    const begun = process.cpuUsage();
    const message = await said(schema, levels, end, each);
    const { user, system } = process.cpuUsage(begun);
    assert.match(String(message), expected);
    assert.ok(user + system < 10_000_000, `${user + system} microseconds`);
  });
}

test('a long list of values is checked to its end', async () => {
  const item = { type: 'object', properties: { name: { $ref: '#/$defs/Name' } } };
  const schema: JsonSchema = {
    type: 'object',
    properties: { list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Item' }] } } },
    $defs: { Item: item, Name: { type: 'string' } },
  };
  const operation = { name: 'find', input: schema } as unknown as Parameters<
    ReturnType<typeof createValidation>
  >[0];
  const run = createValidation()(operation, async () => 'ran');
  const list = Array.from({ length: 100_000 }, () => ({ name: 'a' }));
  assert.equal(await run({ list }, {} as never), 'ran');
  await assert.rejects(
    async () => run({ list: [...list, { name: 1 }] }, {} as never),
    /list\[100000\]\.name/,
  );
});
