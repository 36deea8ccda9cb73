import assert from 'node:assert/strict';
import test from 'node:test';
import { schemaFault, valueFault } from '../../../generator/model/schema/schema-check.ts';

test('a value of the curation is a multiple as calls are: in decimals', () => {
  const price = { type: 'number', multipleOf: 0.01 };
  for (const value of [19.99, 0.07, 1.1, 4]) assert.equal(valueFault(price, value), undefined);
  assert.deepEqual(valueFault(price, 19.999), { at: '', message: 'must be multiple of 0.01' });
  assert.equal(schemaFault(price), undefined);
  assert.equal(schemaFault({ multipleOf: 0 })?.at, '/multipleOf');
});

test('a value is compared with the objects of a schema, however they were read', () => {
  const only = Object.assign(Object.create(null), { a: 1 });
  assert.equal(valueFault({ const: only }, { a: 1 }), undefined);
  assert.notEqual(valueFault({ enum: [only] }, { a: 2 }), undefined);
});

test('what every object inherits is no member of a value', () => {
  const text = { type: 'string' };
  const properties = { constructor: text, toString: text };
  assert.equal(valueFault({ type: 'object', properties }, {}), undefined);
  assert.notEqual(valueFault({ type: 'object', required: ['valueOf'] }, {}), undefined);
});

test('a definition that is no schema is a fault of each schema that has it', () => {
  const [sound, broken] = [{ type: 'string' }, { type: 'text' }];
  for (const _ of ['first', 'second']) {
    const fault = schemaFault({ $defs: { Sound: sound, Broken: broken } });
    assert.equal(fault?.at, '/$defs/Broken/type');
    assert.equal(schemaFault({ $defs: { Sound: sound } }), undefined);
  }
  const named = { $schema: 'http://elsewhere.example/schema', type: 'string' };
  assert.equal(schemaFault({ $defs: { Named: named } }), undefined);
});

test('of alternatives that only formats tell apart one fits, as calls are held to formats', () => {
  const uuid = { type: 'string', format: 'uuid' };
  const id = { oneOf: [{ type: 'string', pattern: '^\\d+$' }, uuid] };
  const schema = { type: 'object', properties: { id } };
  assert.equal(valueFault(schema, { id: '12345' }), undefined);
  assert.equal(valueFault(uuid, 'no UUID, as examples are'), undefined);
  const both = valueFault({ oneOf: [uuid, { type: 'string' }] }, crypto.randomUUID());
  assert.equal(both?.message, 'must match exactly one schema in oneOf');
});
