import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import {
  compareLocks,
  lockTools,
  printLock,
  readLock,
} from '../../../generator/model/tool-lock.ts';

function lock(schema: JsonSchema, { name = 'a', request = 'GET /a', description = 'Words' } = {}) {
  return lockTools([{ definition: { name, description, input: schema }, request }]);
}

function tool(properties: JsonSchema, required: string[] = [], more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

const text = { type: 'string' };

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
  ['words change', 'reworded', tool({ a: text }), tool({ a: { ...text, description: 'New' } })],
  ['a default changes', 'reworded', tool({ a: text }), tool({ a: { ...text, default: 'x' } })],
];

function list(properties: JsonSchema): JsonSchema {
  return { type: 'array', items: { type: 'object', properties } };
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
