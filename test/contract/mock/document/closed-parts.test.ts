import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyOf, hasClosedParts } from './closed-parts.ts';

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));
const root = {
  schemas: {
    Open: { properties: named('a') },
    Closed: { properties: named('b'), additionalProperties: false },
    All: { properties: named('a', 'b'), additionalProperties: false },
    Tree: { properties: { next: { $ref: '#/schemas/Tree' } } },
  },
};
const body = (schema: object) =>
  bodyOf({ requestBody: { content: { 'application/json': { schema } } } }, root);
const all = (...names: string[]) => ({
  allOf: names.map((name) => ({ $ref: `#/schemas/${name}` })),
});

test('parts that forbid what others have are found, at any depth', () => {
  assert.ok(hasClosedParts(body(all('Open', 'Closed')), root));
  assert.ok(hasClosedParts(body({ items: all('Open', 'Closed') }), root));
  assert.ok(hasClosedParts(body({ ...all('Open'), additionalProperties: false }), root));
  const parameters = [{ in: 'body', schema: all('Open', 'Closed') }];
  assert.ok(hasClosedParts(bodyOf({ parameters }, root), root));
});

test('an object that forbids what its alternatives have is found', () => {
  const closed = { properties: named('a'), additionalProperties: false };
  const beside = (name: string) => ({ ...closed, oneOf: [{ $ref: `#/schemas/${name}` }] });
  assert.ok(hasClosedParts(body({ items: beside('Closed') }), root));
  assert.equal(hasClosedParts(body({ items: beside('Open') }), root), false);
});

test('a closed schema that has all properties forbids none of them', () => {
  for (const schema of [all('Open', 'All'), all('Closed'), all('Open'), all('Tree', 'Open')]) {
    assert.equal(hasClosedParts(body(schema), root), false, JSON.stringify(schema));
  }
});
