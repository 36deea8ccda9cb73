import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { deep } from '#contract/request';
import { NestedDigits } from '../../../../runtime/outbound/request/nested-digits.ts';
import { encodeFields } from '../../../../runtime/outbound/request/query-encoding.ts';

const long = { type: ['integer', 'string'], format: 'int64', pattern: '^-?[1-9]\\d{15,18}$' };
const unsigned = { type: ['integer', 'string'], pattern: '^[1-9]\\d{15,19}$' };
const digits = '1234567890123456789';

function sent(properties: JsonSchema, args: Record<string, unknown>, $defs: JsonSchema = {}) {
  return new NestedDigits({ type: 'object', properties, $defs }).exact(args);
}

test('digits within an argument are numbers again in JSON', () => {
  const properties = {
    counts: { type: 'object', additionalProperties: long },
    place: { $ref: '#/$defs/Place' },
    rows: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Place' }, { type: 'null' }] } },
    grid: { type: 'array', items: { type: 'array', items: unsigned } },
  };
  const Place = {
    type: 'object',
    properties: { id: long, name: { type: 'string' }, inner: { $ref: '#/$defs/Place' } },
  };
  const args = {
    counts: { a: digits, b: 5, 'c"': '-9007199254740993' },
    place: { id: 7, name: digits, inner: { id: digits, name: 'x' } },
    rows: [{ id: digits }, null],
    grid: [['18446744073709551615', 1]],
  };
  const text = JSON.stringify(args)
    .replaceAll(`:"${digits}"`, `:${digits}`)
    .replace(`"name":${digits}`, `"name":"${digits}"`)
    .replace('"-9007199254740993"', '-9007199254740993')
    .replace('"18446744073709551615"', '18446744073709551615');
  assert.equal(JSON.stringify(sent(properties, args, { Place })), text);
});

test('what may be a text stays one, and what the builder writes is left to it', () => {
  const either = { oneOf: [{ type: 'integer' }, { type: 'string' }] };
  const properties = {
    id: long,
    ids: { type: 'array', items: long },
    mixed: {
      oneOf: [
        { type: 'object', properties: { id: long } },
        { type: 'object', properties: { id: { type: 'string' } } },
      ],
    },
    free: { type: 'object', properties: { either, long }, additionalProperties: true },
  };
  const args = {
    id: digits,
    ids: [digits],
    mixed: { id: digits },
    free: { either: digits, b: digits },
  };
  assert.deepEqual(sent(properties, args), args);
});

test('elsewhere they are texts', () => {
  const properties = { filter: { type: 'object', additionalProperties: long } };
  const { filter } = sent(properties, { filter: { near: digits } });
  assert.equal(encodeFields({ filter: deep(filter) }), `filter%5Bnear%5D=${digits}`);
  assert.equal(encodeFields({ ...(filter as object) }), `near=${digits}`);
});

test('a number that has been rounded, or is beyond its format, is refused', () => {
  const properties = { filter: { type: 'object', properties: { id: long } } };
  for (const id of [2 ** 60, '9999999999999999999']) {
    assert.throws(() => sent(properties, { filter: { id } }), { code: 'invalid_arguments' });
  }
});
