import assert from 'node:assert/strict';
import test from 'node:test';
import { argumentSignatures } from '../../../generator/model/lock/argument-signature.ts';
import { objectShape, RecursiveShapeError } from '../../../generator/model/schema/object-shape.ts';
import { ReadOnlyProperties } from '../../../generator/model/schema/read-only-properties.ts';
import { valueKinds } from '../../../generator/model/schema/value-kinds.ts';
import { cleanText } from '../../../generator/model/texts/clean-text.ts';
import { schemaNode } from '../../../generator/model/vendor/answer/output-node.ts';
import { outputSchema } from '../../../generator/model/vendor/answer/output-schema.ts';
import { selectionNode } from '../../../generator/model/vendor/answer/selection-node.ts';
import { chooseBody } from '../../../generator/model/vendor/inputs/body-form.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';

// None of these ends within the life of the machine unless work is shared or bounded.

function documentWith(schemas: Record<string, Record<string, unknown>>): ApiDocument {
  return {
    root: { openapi: '3.1.0', info: {}, components: { schemas } },
    version: '3.1',
    file: 'openapi.yaml',
    locate: () => ({ file: 'openapi.yaml', line: 1, column: 1 }),
  };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const first = { node: ref('S0'), pointer: '' };

/** Forty schemas, each twice in the one before: a trillion ways through. */
const ladder = documentWith(
  Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `S${index}`,
      index === 39
        ? { type: 'object', properties: { end: { type: 'string' } } }
        : { oneOf: [ref(`S${index + 1}`), { allOf: [ref(`S${index + 1}`)] }] },
    ]),
  ),
);

/** A hundred schemas, each of which may be any of them. */
const names = Array.from({ length: 100 }, (_, index) => `S${index}`);
const tangle = documentWith(
  Object.fromEntries(
    names.map((name) => [name, { anyOf: [{ type: 'string' }, ...names.map(ref)] }]),
  ),
);

/** Two hundred members, each the whole again. */
const members = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`m${index}`, ref('S0')]),
);
const mirror = documentWith({ S0: { type: 'object', properties: members } });

test('alternatives of alternatives are read once each', () => {
  assert.deepEqual([...(objectShape(ladder, first)?.properties.keys() ?? [])], ['end']);
  assert.equal(valueKinds(ladder, ref('S0')).object, true);
  assert.deepEqual([...schemaNode(ladder, ref('S0')).members().keys()], ['end']);
});

test('alternatives that contain each other come to an end', () => {
  assert.throws(() => objectShape(tangle, first), RecursiveShapeError);
  assert.deepEqual([...valueKinds(tangle, ref('S0')).scalars], ['string']);
  // While a schema is read it may be anything, so that no right answer is refused.
  assert.deepEqual([...schemaNode(tangle, ref('S0')).types], []);
});

test('a body whose alternatives contain each other is chosen all the same', () => {
  const content = { 'application/json': { schema: ref('S0') } };
  const operation = {
    node: { requestBody: { content } },
    pointer: '/paths/~1things/delete',
    id: undefined,
    method: 'DELETE',
    path: '/things',
    pathItem: { node: {}, pointer: '/paths/~1things' },
  };
  assert.equal(chooseBody(tangle, operation, {})?.form.required, true);
});

test('a chain of many schemas does not exhaust the stack', () => {
  const chain = documentWith(
    Object.fromEntries(
      names
        .concat(Array.from({ length: 20_000 }, (_, index) => `S${index + 100}`))
        .map((name, index) => [
          name,
          { allOf: [ref(`S${index + 1}`)], properties: { [name]: { readOnly: true } } },
        ]),
    ),
  );
  assert.throws(() => objectShape(chain, first), RecursiveShapeError);
  assert.equal(valueKinds(chain, ref('S0')).object, true);
  assert.ok(schemaNode(chain, ref('S0')).members().has('S0'));
  const schema = chain.root.components?.['schemas']?.['S0'] ?? {};
  assert.ok(new ReadOnlyProperties(chain).of(schema).has('S0'));
});

test('a result schema that would multiply is cut', () => {
  const schema = outputSchema(schemaNode(mirror, ref('S0')));
  assert.equal(Object.keys(schema['properties'] ?? {}).length, 200);
  assert.deepEqual(Object.values(schema['properties'] ?? {})[0], { type: ['object', 'null'] });
});

test('signatures are counted, and those of the arguments themselves come first', () => {
  const chain = ['A', 'B', 'C', 'D'].map((name, index, all) => {
    const next = all[index + 1];
    const member = next === undefined ? { type: 'string' } : { $ref: `#/$defs/${next}` };
    const properties = Object.fromEntries(
      Array.from({ length: 150 }, (_, count) => [`m${count}`, member]),
    );
    return [name, { type: 'object', properties }];
  });
  const properties = { a: { $ref: '#/$defs/A' }, z: { type: 'string' } };
  const signatures = argumentSignatures({ properties, $defs: Object.fromEntries(chain) });
  assert.equal(signatures['z'], 'string');
  assert.ok(Object.keys(signatures).length < 1500);
});

test('fragments of GraphQL may contain each other', () => {
  const spreads = '...F ...F ...G ...G';
  const node = selectionNode(
    `query Q { a { ${spreads} } } fragment F on T { x { ${spreads} } } fragment G on T { y ${spreads} }`,
  );
  const data = node.members().get('data');
  assert.deepEqual([...(data?.members().get('a')?.members().keys() ?? [])], ['x', 'y']);
});

test('comments within comments are emptied only as far as text is read', () => {
  const depth = 200_000;
  assert.equal(cleanText('<!'.repeat(depth) + '-- -->'.repeat(depth))?.includes('<!--'), false);
});
