import assert from 'node:assert/strict';
import test from 'node:test';
import { repairSchema } from '../../../generator/read/repair/repair-schema.ts';

function repaired(schema: Record<string, unknown>) {
  const node = structuredClone(schema);
  const messages: string[] = [];
  repairSchema(node, '3.0', { path: ['a'], told: (_, message) => messages.push(message) });
  return { node, count: messages.length };
}

const text = { type: 'string' };

test('members named by an expression between slashes match it, and none is needed', () => {
  const { node } = repaired({
    type: 'object',
    properties: { key: text, '/^[a-z]{2}$/': text },
    required: ['key', '/^[a-z]{2}$/'],
  });
  assert.deepEqual(JSON.parse(JSON.stringify(node)), {
    type: 'object',
    properties: { key: text },
    required: ['key'],
    patternProperties: { '^[a-z]{2}$': text },
  });
});

test('a name that is only needed and an expression is left out', () => {
  const { node, count } = repaired({ required: ['/^[a-z]{2}$/'], additionalProperties: text });
  assert.deepEqual([node, count], [{ additionalProperties: text }, 1]);
});

test('names with slashes stay names', () => {
  const schema = { properties: { '/a': text, '/b/': text, '^c$': text }, required: ['/a', '/b/'] };
  assert.deepEqual(repaired(schema), { node: schema, count: 0 });
});
