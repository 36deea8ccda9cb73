import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asWritten, relaxed, relaxedPage } from '#contract/schema/relaxed';

const schema = relaxed({
  id: 'integer',
  name: 'string | object',
  when: 'null',
  more: 'any',
  user: { login: 'string' },
  labels: [{ name: 'string' }],
  topics: ['string'],
  raw: 'array',
  odd: asWritten({ enum: ['a', 'b'] }),
});

test('every field is written out as nullable, in a fixed order', () => {
  assert.equal(
    JSON.stringify(schema),
    JSON.stringify({
      type: 'object',
      properties: {
        id: { type: ['integer', 'null'] },
        name: { type: ['string', 'object', 'null'] },
        when: { type: ['null'] },
        more: {},
        user: { type: ['object', 'null'], properties: { login: { type: ['string', 'null'] } } },
        labels: {
          type: ['array', 'null'],
          items: { type: ['object', 'null'], properties: { name: { type: ['string', 'null'] } } },
        },
        topics: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
        raw: { type: ['array', 'null'] },
        odd: { enum: ['a', 'b'] },
      },
    }),
  );
});

test('a long number may be the text of its digits, and no other text', () => {
  const { properties } = relaxed({ id: 'long', odd: 'long | boolean' });
  const pattern = '^-?[1-9]\\d{15,}$';
  assert.deepEqual(properties, {
    id: { type: ['integer', 'string', 'null'], pattern },
    odd: { type: ['integer', 'string', 'boolean', 'null'], pattern },
  });
});

test('what a vendor leaves out, sends as null or adds is taken; another kind of value is not', () => {
  const validate = new Ajv2020().compile(schema);
  for (const result of [
    {},
    { id: null, user: null, labels: [null] },
    { added: 1, user: { x: 1 } },
  ]) {
    assert.equal(validate(result), true, JSON.stringify(result));
  }
  for (const result of [
    null,
    [],
    { id: 'x' },
    { topics: [1] },
    { user: { login: 7 } },
    { odd: 'c' },
  ]) {
    assert.equal(validate(result), false, JSON.stringify(result));
  }
});

test('a page holds items, the way to the next page, and whether something is missing', () => {
  assert.deepEqual(
    relaxedPage({ id: 'string' }),
    relaxed({ items: [{ id: 'string' }], next_cursor: 'string', truncated: 'boolean' }),
  );
});

test('no name of a field is taken for anything but a name', () => {
  const fields = JSON.parse('{"__proto__":"string","type":"string","items":["string"]}');
  const { properties } = relaxed(fields);
  assert.deepEqual(Object.keys(properties ?? {}), ['__proto__', 'type', 'items']);
});
