import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import type { JsonSchema } from '#contract/json';
import { asWritten, relaxed, relaxedPage } from '#contract/schema/relaxed';
import { providers as generated } from '../../../generated/providers.ts';
import { Call } from '../../../generator/emit/print/literal.ts';
import { relaxedOutput } from '../../../generator/emit/providers/relaxed-output.ts';
import { providers } from '../../../generator/kinds/providers.ts';
import { Memory } from '../../../generator/pipeline/memory.ts';
import { planSpecs } from '../../../generator/pipeline/specs.ts';

const functions: Readonly<Record<string, (argument: never) => unknown>> = {
  relaxed,
  relaxedPage,
  asWritten,
};

/** What the printed form is worth when it runs. */
function evaluated(value: unknown): unknown {
  if (value instanceof Call) {
    const call = functions[value.callee] ?? assert.fail(value.callee);
    const [argument] = value.args;
    return call((value.callee === 'asWritten' ? argument : evaluated(argument)) as never);
  }
  if (Array.isArray(value)) return value.map(evaluated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, evaluated(each)]));
}

function roundTrip(schema: JsonSchema): string {
  return JSON.stringify(evaluated(relaxedOutput(schema, new Set())));
}

test('what clients are told of the result of a tool is what was planned, to the letter', async () => {
  const base = join(import.meta.dirname, '../../..');
  const specs = await planSpecs({ base, memory: new Memory() });
  let compared = 0;
  for (const { model } of specs.of(providers)) {
    const provider = await generated[model?.settings.id ?? '']?.load();
    for (const { definition } of model?.tools ?? []) {
      const tool = (await provider?.tools[definition.name]?.()) ?? assert.fail(definition.name);
      assert.equal(JSON.stringify(tool.output), JSON.stringify(definition.output), definition.name);
      if (definition.output) compared += 1;
    }
  }
  assert.ok(compared > 150, `${compared} outputs`);
});

const kind = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array', 'null');
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.record(
    {
      type: fc.oneof(kind, fc.uniqueArray(kind, { maxLength: 5 })),
      properties: fc.dictionary(fc.string({ maxLength: 3 }), tie('schema'), { maxKeys: 3 }),
      items: fc.oneof({ depthSize: 'small' }, fc.constant({}), tie('schema')),
      description: fc.constant('words'),
    },
    { requiredKeys: [] },
  ),
}));

test('whatever an output schema holds, its printed form expands to it', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const root: JsonSchema = { ...schema, type: 'object' };
      const { type, properties, items, ...rest } = root;
      // The planner writes the keywords in this order.
      const ordered = {
        type,
        ...(properties !== undefined && { properties }),
        ...(items !== undefined && { items }),
        ...rest,
      };
      assert.deepEqual(JSON.parse(roundTrip(ordered)), JSON.parse(JSON.stringify(ordered)));
    }),
  );
});

test('what has no short form is written out, down to the place that has none', () => {
  const used = new Set<string>();
  const schema = {
    type: 'object',
    properties: { id: { type: ['string', 'null'] }, odd: { properties: { a: {} } } },
  };
  assert.deepEqual(
    relaxedOutput(schema, used),
    new Call('relaxed', [
      { id: 'string', odd: new Call('asWritten', [{ properties: { a: {} } }]) },
    ]),
  );
  assert.deepEqual([...used], ['asWritten', 'relaxed']);
  const open = { type: 'object', additionalProperties: true };
  assert.equal(relaxedOutput(open, new Set()), open);
});
