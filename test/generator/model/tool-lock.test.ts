import assert from 'node:assert/strict';
import test from 'node:test';
import { comparableText, type JsonSchema } from '#contract/json';
import { comparableSchema } from '../../../generator/model/lock/comparable-schema.ts';
import { compareLocks } from '../../../generator/model/lock/lock-changes.ts';
import {
  type LockedDefinition,
  lockTools,
  printLock,
  readLock,
} from '../../../generator/model/lock/tool-lock.ts';

const read = { readOnlyHint: true, openWorldHint: true };

interface Changes extends Partial<LockedDefinition> {
  readonly request?: string;
}

function lock(schema: JsonSchema, { request = 'GET /a', ...changes }: Changes = {}) {
  const definition = { name: 'a', description: 'Words', annotations: read, access: ['mcp.tools'] };
  return lockTools([{ definition: { ...definition, input: schema, ...changes }, request }]);
}

function tool(properties: JsonSchema, required: string[] = [], more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

const text = { type: 'string' };
const closed = { required: ['id'], additionalProperties: false };

const changes: [what: string, kind: string, before: JsonSchema, after: JsonSchema][] = [
  ['an argument goes', 'narrowed', tool({ a: text }), tool({})],
  ['an argument becomes required', 'narrowed', tool({ a: text }), tool({ a: text }, ['a'])],
  ['a required argument is new', 'narrowed', tool({}), tool({ a: text }, ['a'])],
  ['an optional argument is new', 'widened', tool({}), tool({ a: text })],
  ['an argument may be left out', 'widened', tool({ a: text }, ['a']), tool({ a: text })],
  ['null is refused', 'narrowed', tool({ a: { type: ['string', 'null'] } }), tool({ a: text })],
  ['integers only', 'narrowed', tool({ a: { type: 'number' } }), tool({ a: { type: 'integer' } })],
  ['any number', 'widened', tool({ a: { type: 'integer' } }), tool({ a: { type: 'number' } })],
  ['a type is asked for', 'narrowed', tool({ a: {} }), tool({ a: text })],
  ['any type will do', 'widened', tool({ a: text }), tool({ a: {} })],
  ['a value goes', 'narrowed', tool({ a: { enum: ['x', 'y z'] } }), tool({ a: { enum: ['x'] } })],
  [
    'a value comes',
    'widened',
    tool({ a: { enum: ['x'] } }),
    tool({ a: { enum: ['x', 'y in ['] } }),
  ],
  [
    'values are listed now',
    'narrowed',
    tool({ a: text }),
    tool({ a: { type: 'string', enum: ['x'] } }),
  ],
  ['a bound is tightened', 'narrowed', tool({ a: { maximum: 9 } }), tool({ a: { maximum: 8 } })],
  ['a bound is loosened', 'widened', tool({ a: { minimum: 2 } }), tool({ a: { minimum: 1 } })],
  ['a pattern comes', 'narrowed', tool({ a: text }), tool({ a: { ...text, pattern: '^x y$' } })],
  ['a pattern goes', 'widened', tool({ a: { ...text, pattern: '^x y$' } }), tool({ a: text })],
  ['a member of an item goes', 'narrowed', tool({ a: list({ x: text }) }), tool({ a: list({}) })],
  ['a member of an item comes', 'widened', tool({ a: list({}) }), tool({ a: list({ x: text }) })],
  ['an argument with a dot goes', 'narrowed', tool({ 'filter.name': text }), tool({})],
  [
    'an argument with the marks of items goes',
    'narrowed',
    tool({ 'ids[]': text, 'a/b': text }),
    tool({ 'a/b': text }),
  ],
  ['a member goes and comes with its parent', 'widened', tool({}), tool({ a: list({ x: text }) })],
  ['all alternatives of the whole', 'narrowed', tool({}), tool({}, [], { anyOf: [{}] })],
  [
    'a keyword of which only the hash is kept',
    'narrowed',
    tool({ a: {} }),
    tool({ a: { if: {} } }),
  ],
  ['a definition in an alternative is closed', 'narrowed', alternatives({}), alternatives(closed)],
  [
    'a member called description in an alternative',
    'narrowed',
    tool({ a: { anyOf: [{ properties: { description: text } }] } }),
    tool({ a: { anyOf: [{ properties: { description: { type: 'integer' } } }] } }),
  ],
  ['a definition gets other words', 'reworded', alternatives({}), alternatives({ title: 'Words' })],
  ['definitions get other names', 'reworded', alternatives({}), alternatives({}, 'Other')],
  ['a member at level 5 has another type', 'narrowed', deep(text), deep({ type: 'integer' })],
  ['a member at level 9 has another type', 'narrowed', deep(text, 9), deep({ type: 'null' }, 9)],
  ['a member at level 5 gets other words', 'reworded', deep(text), deep({ ...text, title: 'T' })],
  ['words change', 'reworded', tool({ a: text }), tool({ a: { ...text, description: 'New' } })],
  ['a default changes', 'reworded', tool({ a: text }), tool({ a: { ...text, default: 'x' } })],
];

function list(properties: JsonSchema): JsonSchema {
  return { type: 'array', items: { type: 'object', properties } };
}

/** An argument with two alternatives, one of them a definition that refers to itself. */
function alternatives(more: JsonSchema, name = 'Filter'): JsonSchema {
  const $ref = `#/$defs/${name}`;
  const filter = { type: 'object', properties: { id: text, or: { $ref } }, ...more };
  return tool({ a: { anyOf: [text, { $ref }] } }, [], { $defs: { [name]: filter } });
}

/** A member so many levels below the arguments. */
function deep(schema: JsonSchema, levels = 5): JsonSchema {
  let whole = schema;
  for (let level = 1; level < levels; level++) whole = { properties: { a: whole } };
  return tool({ a: whole });
}

for (const [what, kind, before, after] of changes) {
  test(`${what}: the tool is ${kind}`, () => {
    assert.deepEqual(
      compareLocks(lock(before), lock(after)).map((change) => change.kind),
      [kind],
    );
  });
}

test('nothing has changed: nothing is said', () => {
  assert.deepEqual(compareLocks(lock(tool({ a: text })), lock(tool({ a: text }))), []);
});

test('another request, other annotations or another access: the tool is altered', () => {
  const write = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  const before = lock(tool({ a: text }));
  const details = (changes: Changes) =>
    compareLocks(before, lock(tool({ a: text }), changes)).flatMap((change) => [
      change.kind,
      ...change.details,
    ]);
  assert.deepEqual(details({ request: 'PUT /a' }), ['altered', 'request is PUT /a, not GET /a']);
  assert.deepEqual(details({ annotations: write }), [
    'altered',
    'readOnlyHint is false, not true',
    'destructiveHint is true, not unset',
  ]);
  assert.deepEqual(details({ access: ['provider:acme:read'] }), [
    'altered',
    'access is provider:acme:read, not mcp.tools',
  ]);
});

test('a tool that is altered may take less as well', () => {
  const changed = compareLocks(lock(tool({ a: text })), lock(tool({}), { request: 'PUT /a' }));
  assert.deepEqual(
    changed.map(({ kind }) => kind),
    ['altered', 'narrowed'],
  );
});

test('a tool whose request stays under another name is renamed, not removed and added', () => {
  const changed = compareLocks(lock(tool({})), lock(tool({}), { name: 'b' }));
  assert.deepEqual(changed, [{ kind: 'renamed', tool: 'b', details: ['a'] }]);
});

test('a tool with another name and request is removed and added', () => {
  const after = lock(tool({}), { name: 'b', request: 'GET /b' });
  assert.deepEqual(
    compareLocks(lock(tool({})), after).map(({ kind, tool }) => `${tool} ${kind}`),
    ['a removed', 'b added'],
  );
});

test('recursive schemas have an end, and members behind references count', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, x: text } };
  const before = tool({ a: { $ref: '#/$defs/Node' } }, [], { $defs: { Node: node } });
  const poorer = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
  const after = tool({ a: { $ref: '#/$defs/Node' } }, [], { $defs: { Node: poorer } });
  assert.equal(compareLocks(lock(before), lock(after))[0]?.kind, 'narrowed');
});

test('a schema that tools share is told apart by what it leads to in each of them', () => {
  const choice = [{ $ref: '#/$defs/B' }];
  const argument = { anyOf: choice };
  const deep = { properties: { b: { properties: { c: { properties: { d: argument } } } } } };
  const of = (B: JsonSchema, properties: JsonSchema) =>
    lock(tool(properties, [], { $defs: { B } }));
  for (const properties of [{ a: argument }, { a: deep }]) {
    const short = of({ maxLength: 1 }, properties);
    const long = of({ maxLength: 2 }, properties);
    assert.deepEqual(
      compareLocks(short, long).map(({ kind }) => kind),
      ['narrowed'],
    );
    assert.deepEqual(of({ maxLength: 1 }, structuredClone(properties)), short);
  }
});

test('words beside a reference change nothing, other keywords do', () => {
  const of = (a: JsonSchema) => lock(tool({ a }, [], { $defs: { B: { anyOf: [text] } } }));
  const plain = of({ $ref: '#/$defs/B' });
  const worded = of({ $ref: '#/$defs/B', description: 'Words' });
  assert.deepEqual(worded['a']?.arguments, plain['a']?.arguments);
  const shorter = of({ $ref: '#/$defs/B', description: 'Words', maxLength: 2 });
  assert.match(shorter['a']?.arguments['a'] ?? '', /length<=2 anyOf#/);
});

test('a lock file is read as it was printed, and nothing else is taken for one', () => {
  const written = lock(tool({ a: text }));
  assert.deepEqual(readLock(JSON.parse(printLock(written))), written);
  for (const value of [
    null,
    {},
    { tools: [] },
    { tools: { a: 1 } },
    { tools: { a: { request: 1 } } },
  ]) {
    assert.equal(readLock(value), undefined);
  }
});

test('a change beyond the published schema is told, but for locks that know nothing of it', () => {
  const of = (whole?: JsonSchema) => {
    const definition = {
      name: 'a',
      description: 'Words',
      annotations: read,
      access: ['mcp.tools'],
      input: tool({ a: {} }),
    };
    return lockTools([{ definition, request: 'GET /a', whole }]);
  };
  const cut = of(tool({ a: { properties: { b: text, c: text } } }));
  const sorted = of(tool({ a: { properties: { c: text, b: text } } }));
  const other = of(tool({ a: { properties: { b: { ...text, maxLength: 3 }, c: text } } }));
  assert.deepEqual(compareLocks(cut, sorted), []);
  assert.deepEqual(
    compareLocks(cut, other).map(({ kind, details }) => [kind, details]),
    [['narrowed', ['what calls are held to beyond the published schema is another']]],
  );
  assert.deepEqual(compareLocks(of(), cut), []);
  assert.ok(readLock(JSON.parse(printLock(cut))));
  assert.equal(readLock({ tools: { a: { ...cut['a'], whole: 5 } } }), undefined);
});

test('a schema whose definitions are written once has the same comparable text', () => {
  const definition = {
    type: 'object',
    properties: { b: { minimum: Number.POSITIVE_INFINITY }, a: {} },
  };
  const schemas: JsonSchema[] = [
    { type: 'object' },
    {
      type: 'object',
      $defs: { B: definition, A: { $defs: {} }, 'x"': true },
      $anchor: 'a',
      Z: [1],
    },
    { $defs: { B: definition, Gone: undefined }, additionalProperties: undefined },
  ];
  for (const schema of schemas) assert.equal(comparableSchema(schema), comparableText(schema));
});
