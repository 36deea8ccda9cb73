import assert from 'node:assert/strict';
import test from 'node:test';
import { rootedSchema } from '../../../../runtime/mcp/profiles/portable-schema.ts';
import { strictSchema } from '../../../../runtime/mcp/profiles/strict-schema.ts';

const needing = (...required: string[]) => ({ properties: {}, required });

for (const [keyword, members, note] of [
  ['oneOf', [needing('a'), needing('b', 'c')], 'Give exactly one of these: a; b and c.'],
  ['anyOf', [needing('a'), needing('b'), needing('b')], 'Give at least one of these: a; b.'],
  ['oneOf', [needing('kind'), needing('kind')], undefined],
  ['anyOf', [needing('a')], undefined],
  ['anyOf', [needing('a'), {}], undefined],
] as const) {
  test(`${keyword} of ${JSON.stringify(members)} is ${note ?? 'not said in words'}`, () => {
    const schema = { type: 'object', [keyword]: members };
    assert.equal(rootedSchema(schema)['description'], note);
    assert.equal(strictSchema(schema).schema['description'], note);
  });
}
