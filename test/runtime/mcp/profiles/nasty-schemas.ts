import type { JsonSchema } from '#contract/json';

const string = { type: 'string' };
const any = { type: 'object', additionalProperties: true };

function closed(properties: object, more: object = {}): JsonSchema {
  return { type: 'object', properties, additionalProperties: false, ...more } as JsonSchema;
}

/** Schemas of arguments that some client refuses, by what is hard about them. */
export const nastySchemas: Readonly<Record<string, JsonSchema>> = {
  'recursive tree': closed(
    { tree: { $ref: '#/$defs/Node' } },
    {
      $defs: {
        Node: closed(
          { name: string, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
          { required: ['name'] },
        ),
      },
    },
  ),
  'recursive filter': closed(
    { filter: { $ref: '#/$defs/Filter' } },
    {
      $defs: {
        Filter: {
          oneOf: [
            closed(
              { and: { type: 'array', items: { $ref: '#/$defs/Filter' } } },
              { required: ['and'] },
            ),
            closed({ not: { $ref: '#/$defs/Filter' } }, { required: ['not'] }),
            closed({ name: string, value: { type: ['string', 'null'] } }, { required: ['name'] }),
          ],
        },
      },
    },
  ),
  'two that hold each other': closed(
    { a: { $ref: '#/$defs/A' } },
    {
      $defs: {
        A: closed({ b: { $ref: '#/$defs/B' } }),
        B: closed({ a: { $ref: '#/$defs/A' }, n: { type: 'integer' } }),
      },
    },
  ),
  'a whole that holds itself': closed({ next: { $ref: '#' }, value: { type: 'number' } }),
  'reference to a property': closed({ a: closed({ x: string }), b: { $ref: '#/properties/a' } }),
  'reference to an anchor': closed(
    { a: { $ref: '#it' } },
    { $defs: { It: { $anchor: 'it', ...closed({ x: string }) } } },
  ),
  'reference to nothing': closed({ a: { $ref: '#/$defs/Gone', description: 'Gone' } }),
  'one of at the root': {
    type: 'object',
    oneOf: [
      closed({ id: string }, { required: ['id'] }),
      closed({ name: string, kind: { const: 'n' } }, { required: ['name'] }),
    ],
  },
  'any of at the root': {
    ...closed({ a: string, b: string }),
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'open members at the root': {
    type: 'object',
    anyOf: [
      { type: 'object', properties: { content: string }, required: ['content'] },
      {
        type: 'object',
        properties: { url: string, content: { type: 'integer' } },
        required: ['url'],
      },
    ],
  },
  'all of at the root': {
    type: 'object',
    allOf: [
      { type: 'object', properties: { a: string }, required: ['a'] },
      { $ref: '#/$defs/More' },
    ],
    unevaluatedProperties: false,
    $defs: { More: { type: 'object', properties: { b: { type: 'integer' } } } },
  },
  'conditions at the root': {
    ...closed({ kind: { enum: ['a', 'b'] }, a: string, b: string }),
    if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['a'] },
    else: { required: ['b'] },
    not: { required: ['a', 'b'] },
    dependentRequired: { a: ['kind'] },
  },
  'open root': { type: 'object', properties: { a: string }, required: ['a'] },
  'open root with the name of the rest': {
    type: 'object',
    properties: { additional_arguments: string, a: { type: 'integer' } },
  },
  'root with patterns': {
    type: 'object',
    properties: { a: string },
    patternProperties: { '^x-[a-z]{1,5}$': { type: 'integer' } },
    additionalProperties: false,
  },
  'nested maps': closed({
    map: { type: 'object', additionalProperties: { type: 'object', additionalProperties: string } },
    free: any,
    empty: { type: 'object', additionalProperties: {} },
  }),
  'map and properties': closed({
    block: {
      type: 'object',
      properties: { type: string },
      required: ['type'],
      additionalProperties: true,
    },
  }),
  'map or text': closed({ value: { anyOf: [string, any] } }),
  'text or number or nothing': closed(
    { value: { oneOf: [string, { type: 'integer' }, { type: 'null' }] } },
    { required: ['value'] },
  ),
  nullable: closed(
    {
      a: { type: ['string', 'null'] },
      b: { type: ['string', 'null'] },
      c: { anyOf: [closed({ x: string }), { type: 'null' }] },
    },
    { required: ['a'] },
  ),
  'named like the mark of null': closed({
    a: { anyOf: [closed({ explicit_null: { type: 'boolean' } }), { type: 'null' }] },
  }),
  'values with null': closed({
    a: { enum: ['x', 'y', null] },
    b: { enum: [1, 2.5, true, 'z'] },
    c: { enum: [[1], { a: 1 }, 'q'] },
    d: { type: ['string', 'null'], enum: ['m', null] },
  }),
  constants: closed(
    { a: { const: 'x' }, b: { const: null }, c: { const: { x: 1 } }, d: { const: 5 } },
    { required: ['a', 'b'] },
  ),
  tuple: closed({
    pair: { type: 'array', prefixItems: [string, { type: 'integer' }], items: false, minItems: 2 },
    list: { type: 'array' },
  }),
  'boolean schemas': closed({ yes: true, no: false, list: { type: 'array', items: true } }),
  'nothing at all': { type: 'object', properties: {}, additionalProperties: false },
  'no properties': { type: 'object', additionalProperties: false },
  'no type': closed({ a: {}, b: { properties: { x: string } }, c: { description: 'Anything' } }),
  'types of every kind': closed({
    a: {
      type: ['string', 'integer', 'array', 'object', 'null'],
      items: closed({ o: string }),
      properties: { p: string },
      additionalProperties: false,
    },
  }),
  'objects that look alike': closed({
    a: {
      oneOf: [closed({ x: string }, { required: ['x'] }), closed({ x: any }, { required: ['x'] })],
    },
  }),
  'objects told apart by a value': closed({
    a: {
      oneOf: ['p', 'q'].map((kind) =>
        closed({ kind: { const: kind }, more: string }, { required: ['kind'] }),
      ),
    },
  }),
  'list of optional things': closed(
    {
      list: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: closed({ a: string, b: { type: 'integer' } }),
      },
    },
    { required: ['list'] },
  ),
  'names of the language': closed({
    constructor: string,
    hasOwnProperty: { type: 'integer' },
    toString: any,
  }),
  'recursion in refusals': closed(
    { a: { $ref: '#/$defs/T' } },
    {
      $defs: {
        T: {
          type: 'object',
          properties: { t: { $ref: '#/$defs/T' }, n: { type: 'integer' } },
          not: { properties: { t: { $ref: '#/$defs/T' } }, required: ['t', 'n'] },
          additionalProperties: false,
        },
      },
    },
  ),
  'recursion in one of': closed(
    { e: { $ref: '#/$defs/E' } },
    {
      $defs: {
        E: {
          oneOf: [
            { type: 'array', items: { $ref: '#/$defs/E' }, minItems: 1 },
            { type: 'array', maxItems: 0 },
            { type: 'integer' },
          ],
        },
      },
    },
  ),
};
