import assert from 'node:assert/strict';
import test from 'node:test';
import { Schemas } from '../verdict/schemas.ts';
import { sampleCalls } from './sample-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[a-z]{3}-\\d+$', maxLength: 8 },
    price: { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' },
    key: { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]+$', minLength: 32, maxLength: 44 },
    size: { type: 'integer', minimum: 3, maximum: 9, multipleOf: 3 },
    kind: { enum: ['a', 'b'] },
    at: { type: 'string', format: 'date-time' },
    tree: { $ref: '#/$defs/Tree' },
    choice: { oneOf: [{ type: 'null' }, { type: 'object', required: ['x'] }] },
    tags: { type: 'array', items: { enum: ['p', 'q', 'r'] }, uniqueItems: true, minItems: 2 },
    parts: {
      allOf: [
        { type: 'array', items: { type: 'object' } },
        { items: { properties: { id: { type: 'string' } }, required: ['id'] } },
      ],
    },
    cursor: { type: 'string' },
  },
  required: ['id', 'key', 'tags'],
  additionalProperties: false,
  $defs: {
    Tree: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
      },
      required: ['name'],
    },
  },
};

test('three argument objects satisfy their schema, and leave out what the server makes', () => {
  const accepts = new Schemas().compile(schema);
  const calls = sampleCalls(schema, ['cursor'], accepts);
  assert.deepEqual(
    calls.map(({ extent }) => extent),
    ['required', 'all', 'edges'],
  );
  for (const { args } of calls) assert.equal(accepts(args), undefined);
  assert.deepEqual(Object.keys(calls[0]?.args ?? {}), ['id', 'key', 'tags']);
  assert.deepEqual(Object.keys(calls[1]?.args ?? {}).toSorted(), [
    ...['at', 'choice', 'id', 'key', 'kind', 'parts', 'price', 'size', 'tags', 'tree'],
  ]);
});

test('choices that depend on each other are made one by one', () => {
  const kinds = ['a', 'b', 'c'];
  const member = (kind: string, value: object | false) => ({
    type: 'object',
    properties: { kind: { const: kind }, value },
    required: ['kind', 'value'],
  });
  /** What every place of it takes, only the alternative of another number does. */
  const choice = (at: number) => ({
    oneOf: kinds.map((kind, index) => member(kind, index === at ? { type: 'integer' } : false)),
  });
  const either = {
    properties: { x: { type: 'string' }, y: { type: 'string' } },
    type: 'object',
    oneOf: [{ required: ['x'] }, { required: ['y'] }],
  };
  const properties = { first: choice(0), second: choice(1), third: choice(2), either };
  const mixed = { type: 'object', properties, required: Object.keys(properties) };
  const accepts = new Schemas().compile(mixed);
  for (const { args } of sampleCalls(mixed, [], accepts)) assert.equal(accepts(args), undefined);
});

test('a schema that nothing satisfies is named, not guessed at', () => {
  const nothing = { type: 'object', properties: { a: false }, required: ['a'] };
  const [call] = sampleCalls(nothing, [], new Schemas().compile(nothing));
  assert.equal(call?.args, undefined);
  assert.match(call?.problem ?? '', /required property/);
});

test('an alternative that holds itself ends', () => {
  const Kind = {
    oneOf: [
      { type: 'string' },
      { type: 'object', properties: { of: { $ref: '#/$defs/Kind' } }, required: ['of'] },
    ],
  };
  const deep = { type: 'object', properties: { kind: Kind }, required: ['kind'], $defs: { Kind } };
  const calls = sampleCalls(deep, [], () => 'nothing is right');
  assert.ok(calls.length > 0);
  for (const { problem } of calls) assert.equal(problem, 'nothing is right');
});

test('an alternative that forbids members is shown without them', () => {
  const text = { type: 'string' };
  const choice = {
    type: 'object',
    properties: { words: text, query: text },
    oneOf: [{ properties: { query: false } }, { properties: { words: false } }],
  };
  const [, all] = sampleCalls(choice, [], new Schemas().compile(choice));
  assert.deepEqual(Object.keys(all?.args ?? {}), ['words']);
});

for (const place of ['itself', 'what it refers to']) {
  test(`of a list of values that is too long, one that the text of ${place} tells is taken`, () => {
    const Kind = {
      type: 'string',
      description: 'One of 2,900 values, such as a.b, c/d, e. Kinds.',
    };
    const kind = place === 'itself' ? Kind : { $ref: '#/$defs/Kind', description: 'The kind' };
    const long = { type: 'object', properties: { kind }, required: ['kind'], $defs: { Kind } };
    const calls = sampleCalls(long, [], new Schemas().compile(long));
    assert.deepEqual(
      calls.map(({ args }) => args?.['kind']),
      ['a.b', 'a.b', 'e'],
    );
  });
}
