import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { mirroredArguments } from '../../../runtime/offer/mirrored-arguments.ts';

// MCP 2026-07-28, custom headers from tool parameters, schema extension.

const region = { type: 'string', 'x-mcp-header': 'Region' };
const object = (properties: object, rest: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});

test('marks are found along chains of properties', () => {
  const schema = object({
    region,
    place: object({ shard: { type: 'integer', 'x-mcp-header': 'Shard' } }),
  });
  assert.deepEqual(mirroredArguments('t', schema), [
    { name: 'Region', path: ['region'], type: 'string' },
    { name: 'Shard', path: ['place', 'shard'], type: 'integer' },
  ]);
});

test('a property that is called like the mark is none, and neither is a value', () => {
  const schema = object({ 'x-mcp-header': { type: 'string', default: region, enum: [region] } });
  assert.deepEqual(mirroredArguments('t', schema), []);
});

const broken: Readonly<Record<string, JsonSchema>> = {
  'an empty name': object({ a: { type: 'string', 'x-mcp-header': '' } }),
  'a name that is no token': object({ a: { type: 'string', 'x-mcp-header': 'a b' } }),
  'a line break': object({ a: { type: 'string', 'x-mcp-header': 'a\r\nb' } }),
  'a name that is no string': object({ a: { type: 'string', 'x-mcp-header': 7 } }),
  'the same name in another case': object({
    a: region,
    b: { ...region, 'x-mcp-header': 'REGION' },
  }),
  'a number': object({ a: { ...region, type: 'number' } }),
  'an object': object({ a: { ...region, type: 'object' } }),
  'no type': object({ a: { 'x-mcp-header': 'Region' } }),
  'the root': { ...object({}), 'x-mcp-header': 'Root' },
  'an item of a list': object({ a: { type: 'array', items: region } }),
  'an item of a list of schemas': object({ a: { prefixItems: [region] } }),
  'a branch of oneOf': object({ a: { oneOf: [region] } }),
  'a branch of a condition': object({}, { if: object({ a: region }) }),
  'a definition': object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: region } }),
  'additional properties': object({}, { additionalProperties: region }),
};
for (const [what, schema] of Object.entries(broken)) {
  test(`${what} must not be marked`, () => {
    assert.throws(() => mirroredArguments('test_tool', schema), {
      name: 'StartError',
      message: /^the tool test_tool cannot be offered: with x-mcp-header it /,
    });
  });
}
