import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { valueFault } from '../../../generator/model/schema/schema-check.ts';
import { argumentsExample } from '../../../generator/provider/examples/arguments-example.ts';
import { scalarExample } from '../../../generator/provider/examples/scalar-example.ts';

const kind = (value: string) => ({ type: 'string', enum: [value] });

/** Inputs as drafted bodies have them: what each alternative asks for stands beside the arguments. */
const inputs: Readonly<Record<string, JsonSchema>> = {
  'alternatives with a discriminator': {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['cat', 'dog'] },
      meow: { type: 'integer', minimum: 3 },
      bark: { type: 'boolean' },
    },
    required: ['kind'],
    additionalProperties: false,
    oneOf: [
      { required: ['kind', 'meow'], properties: { kind: kind('cat'), bark: false } },
      { required: ['kind', 'bark'], properties: { kind: kind('dog'), meow: false } },
    ],
  },
  'a member that is another thing in each alternative': {
    type: 'object',
    properties: { tag: { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 30 }] } },
    required: ['tag'],
    oneOf: [
      { required: ['more'], properties: { more: false } },
      { properties: { tag: { type: 'string', minLength: 30 } } },
    ],
  },
  'two choices at once': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    oneOf: [{ properties: { a: false }, required: ['c'] }, { properties: { b: false, c: false } }],
  },
  'a map that must not be empty': {
    type: 'object',
    properties: {
      labels: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 2 },
    },
    required: ['labels'],
  },
  'an object of optional members of which some are needed': {
    type: 'object',
    properties: {
      change: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } },
        required: ['a'],
        additionalProperties: false,
        minProperties: 2,
        maxProperties: 2,
      },
    },
    required: ['change'],
  },
  'only the last of the alternatives can be met': {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 5 } },
    required: ['n'],
    oneOf: [
      { properties: { n: { maximum: 4 } } },
      { properties: { n: { type: 'string' } } },
      { properties: { n: { multipleOf: 7 } } },
    ],
  },
};

for (const [what, input] of Object.entries(inputs)) {
  test(`arguments that a schema takes: ${what}`, () => {
    const made = argumentsExample(input, new Map(), undefined);
    assert.equal(valueFault(input, made), undefined, JSON.stringify(made));
  });
}

for (const pattern of [
  // A decimal as FastAPI writes it.
  String.raw`^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$`,
  '^(?=.*[A-Z])(?=.*[0-9])[A-Z0-9]{8,10}$',
  String.raw`^[a-f]{3}(?<!aaa)\(?:[)(?=]\d(?!00)\d\d$`,
]) {
  test(`a text that matches a pattern which looks around: ${pattern}`, () => {
    const text = scalarExample('string', { type: 'string', pattern });
    assert.match(String(text), new RegExp(pattern));
  });
}

test('a pattern that leaves room around what matches fills no more of it than there is', () => {
  const schema = { pattern: '[0-9]{8}', minLength: 8, maxLength: 8 };
  assert.match(String(scalarExample('string', schema)), /^[0-9]{8}$/);
});

test('a pattern that takes ages, or is none, costs nothing', () => {
  const slow = '^(?!x)(a+)+$';
  assert.match(String(scalarExample('string', { pattern: slow })), new RegExp(slow));
  assert.equal(scalarExample('string', { pattern: '(' }), 'example');
});
