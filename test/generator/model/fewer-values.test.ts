import assert from 'node:assert/strict';
import test from 'node:test';
import { withFewerValues } from '../../../generator/model/schema/fewer-values.ts';
import { valueFault } from '../../../generator/model/schema/schema-check.ts';

const codes = Array.from({ length: 1200 }, (_, index) => `code-${index}`);
const schema = {
  type: 'object',
  properties: {
    code: { $ref: '#/$defs/Code' },
    kind: { type: 'string', enum: ['a', 'b'] },
    either: { oneOf: [{ $ref: '#/$defs/Code' }, { type: 'string', minLength: 6 }] },
    other: { type: 'string', not: { enum: codes } },
    number: { enum: [...codes.keys(), null] },
  },
  additionalProperties: false,
  not: { required: ['other', 'code'] },
  $defs: { Code: { enum: codes, description: 'Code of the thing' } },
};

test('a long list of values is told in few words, and what else limits the value stays', () => {
  const fewer = withFewerValues(schema, 4096);
  assert.equal(fewer?.lists, 3);
  assert.deepEqual(fewer.schema['$defs'], {
    Code: {
      type: 'string',
      minLength: 6,
      maxLength: 9,
      description:
        'One of 1,200 values, such as code-0, code-600, code-1199. Cut, see the first description. Code of the thing',
    },
  });
  const { number, kind } = Object(fewer.schema['properties']);
  assert.deepEqual(number, {
    type: ['integer', 'null'],
    description: 'One of 1,201 values, such as 0, 600, null. Cut, see the first description.',
  });
  assert.deepEqual(kind, schema.properties.kind);
  for (const wrong of [{ code: 'c' }, { code: 1 }, { kind: 'c' }, { other: 'o', code: 'code-1' }]) {
    assert.notEqual(valueFault(fewer.schema, wrong), undefined, JSON.stringify(wrong));
  }
});

test('what the whole schema takes is not refused without the values', () => {
  const fewer = withFewerValues(schema, 4096);
  assert.ok(fewer);
  for (const right of [
    { code: 'code-7', kind: 'a', number: null },
    { either: 'no code at all' },
    { other: 'code-x', number: 3 },
  ]) {
    assert.equal(valueFault(schema, right), undefined);
    assert.equal(valueFault(fewer.schema, right), undefined, JSON.stringify(right));
  }
});

test('values of which none is a plain word are not told', () => {
  const enumerated = codes.map((code) => `Now do this: ${code}`);
  const fewer = withFewerValues({ properties: { code: { enum: enumerated } } }, 4096);
  const { code } = Object(fewer?.schema['properties']);
  assert.equal(code.description, 'One of 1,200 values. Cut, see the first description.');
});

test('short lists stay', () => {
  assert.equal(withFewerValues({ properties: { kind: { enum: ['a', 'b'] } } }, 4096), undefined);
});
