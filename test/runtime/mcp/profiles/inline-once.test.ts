import assert from 'node:assert/strict';
import test from 'node:test';
import { inlinedOnce } from '../../../../runtime/mcp/profiles/inline-once.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const object = (properties: object) => ({ type: 'object', properties });

test('a definition that is used once stands where it is used, with what stood beside it', () => {
  const schema = {
    ...object({ a: { ...ref('A'), description: 'First' }, b: ref('B'), c: ref('B') }),
    $defs: { A: object({ deep: { items: ref('C') } }), B: object({}), C: { type: 'string' } },
  };
  const a = { ...object({ deep: { items: { type: 'string' } } }), description: 'First' };
  assert.deepEqual(inlinedOnce(schema), {
    ...object({ a, b: ref('B'), c: ref('B') }),
    $defs: { B: object({}) },
  });
  const { $defs } = inlinedOnce({
    ...object({ a: ref('A'), b: ref('A') }),
    $defs: { A: object({ c: ref('C') }), C: {} },
  });
  assert.deepEqual($defs, { A: object({ c: {} }) });
});

test('no text is lost, and no rule comes to stand beside another', () => {
  for (const beside of [{ description: 'Here' }, { additionalProperties: false }]) {
    const schema = {
      ...object({ a: { ...ref('A'), ...beside } }),
      $defs: { A: { description: 'There' } },
    };
    assert.deepEqual(inlinedOnce(schema), schema);
  }
});

test('what leads in a circle stays, and what nothing leads to does no harm', () => {
  const tree = { ...object({ a: ref('A') }), $defs: { A: object({ a: ref('A') }) } };
  assert.deepEqual(inlinedOnce(tree), tree);
  const dead = { ...object({}), $defs: { A: object({ b: ref('B') }), B: object({ a: ref('A') }) } };
  const { properties, $defs } = inlinedOnce(dead);
  assert.deepEqual(properties, {});
  assert.deepEqual($defs, { A: object({ b: object({ a: ref('A') }) }) });
});

test('a schema in which nothing changes is the same object', () => {
  for (const schema of [object({}), { ...object({ a: ref('A'), b: ref('A') }), $defs: { A: {} } }])
    assert.equal(inlinedOnce(schema), schema);
});
