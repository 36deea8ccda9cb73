import assert from 'node:assert/strict';
import test from 'node:test';
import { mostWholeBytes, WholeSchemas } from '../../../generator/model/schema/whole-schemas.ts';

const node = {
  type: 'object',
  title: 'Node',
  description: 'A node of the tree',
  properties: {
    description: { type: 'string', maxLength: 9, description: 'Its own words' },
    next: { $ref: '#/$defs/Node', examples: [{}] },
  },
};

const root = (name: string, definitions: object) => ({
  type: 'object',
  description: 'All together',
  properties: { first: { $ref: `#/$defs/${name}`, description: 'The first', default: {} } },
  $defs: definitions,
});

test('a whole schema has all that limits values, and no words', () => {
  assert.deepEqual(new WholeSchemas().keep(root('Node', { Node: node })), {
    type: 'object',
    properties: { first: { $ref: '#/$defs/Node' } },
    $defs: {
      Node: {
        type: 'object',
        properties: {
          description: { type: 'string', maxLength: 9 },
          next: { $ref: '#/$defs/Node' },
        },
      },
    },
  });
});

test('there is room for so much of one vendor, and what tools share counts once', () => {
  const large = { enum: ['a'.repeat(mostWholeBytes / 2)] };
  const larger = { enum: ['b'.repeat(mostWholeBytes / 2)] };
  const wholes = new WholeSchemas();
  assert.ok(wholes.keep(root('Large', { Large: large })));
  assert.ok(wholes.keep(root('Large', { Large: large, Node: node })));
  assert.equal(wholes.keep(root('Larger', { Larger: larger, Node: node })), undefined);
  const { $defs } = wholes.keep(root('Node', { Node: node, Large: large })) ?? {};
  assert.deepEqual(Object.keys(Object($defs)), ['Node', 'Large']);
});

test('what is no schema costs the tools alone that lead to it', () => {
  const wholes = new WholeSchemas();
  assert.equal(wholes.keep(root('Node', { Node: node, Odd: { type: 7 } })), undefined);
  assert.ok(wholes.keep(root('Node', { Node: node })));
});
