import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { mostPartCharacters, schemaPart } from '../../../../runtime/contract/schema/schema-part.ts';

const whole: JsonSchema = {
  type: 'object',
  properties: {
    filter: { type: 'array', items: { $ref: '#/$defs/Filter' } },
    'a/b': { type: 'object', additionalProperties: { type: 'integer' } },
    enum: { type: 'string' },
  },
  $defs: {
    Filter: { anyOf: [{ $ref: '#/$defs/Term' }, { $ref: '#/$defs/Not' }] },
    Term: { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
    Not: {
      type: 'object',
      properties: { not: { $ref: '#/$defs/Filter' }, field: { enum: [1, 2] } },
    },
    Unused: { type: 'null' },
  },
};

const definitions = whole['$defs'] as Readonly<Record<string, unknown>>;

test('a place in the arguments leads through references, lists and alternatives', () => {
  const { Unused: _, ...reached } = definitions;
  const filter = { $ref: '#/$defs/Filter' };
  assert.deepEqual(schemaPart(whole, '/filter/0'), { ...filter, $defs: reached });
  // As the address of a resource has it: docs://tools/NAME/arguments/filter/0.
  assert.deepEqual(schemaPart(whole, 'filter/0'), { ...filter, $defs: reached });
  assert.deepEqual(schemaPart(whole, '/filter/0/not/not'), { ...filter, $defs: reached });
  assert.deepEqual(schemaPart(whole, '/filter/3/field'), {
    anyOf: [{ type: 'string' }, { enum: [1, 2] }],
  });
  assert.deepEqual(schemaPart(whole, '/a~1b/anything'), { type: 'integer' });
});

test('a name is held to the patterns that it has, and to what is left where it has none', () => {
  const schema = {
    properties: { 'x-id': { minLength: 1 } },
    patternProperties: { '^x-': { type: 'string' }, '^n': { type: 'number' } },
    additionalProperties: { type: 'null' },
  };
  assert.deepEqual(schemaPart(schema, '/x-a'), { type: 'string' });
  assert.deepEqual(schemaPart(schema, '/x-id'), { anyOf: [{ minLength: 1 }, { type: 'string' }] });
  assert.deepEqual(schemaPart(schema, '/other'), { type: 'null' });
  const closed = { ...schema, additionalProperties: false };
  assert.match(String(schemaPart(closed, '/other')), /no "other".*it has x-id, \^x-, \^n/);
});

test('a pointer leads into the schema, as a reference does', () => {
  assert.deepEqual(schemaPart(whole, '#/$defs/Term'), definitions['Term']);
  assert.deepEqual(schemaPart(whole, '#/%24defs/Term/properties'), {
    properties: { field: { type: 'string' } },
  });
  assert.deepEqual(schemaPart(whole, '#/$defs/Term/required'), { required: ['field'] });
  assert.deepEqual(schemaPart(whole, '#/properties/enum'), { type: 'string' });
});

test('no path is the whole, with the definitions that it uses', () => {
  const { Unused: _, ...reached } = definitions;
  for (const path of ['', '#']) {
    assert.deepEqual(schemaPart(whole, path), { ...whole, $defs: reached });
  }
});

test('where nothing stands, it is said what would', () => {
  const cases = [
    ['#filter', /a place in the arguments .* begin with #\/ .*"#filter" was given/],
    ['/fliter', /no "fliter" in the arguments; did you mean "filter"\?/],
    ['/filter/name', /no "name" in \/filter; the items of a list are \/0/],
    ['/filter/0/zzzzzz', /no "zzzzzz" in \/filter\/0; it has field, not/],
    ['#/$defs/Trem', /#\/%24defs has no "Trem"; did you mean "Term"\?/],
    ['#/$defs/Term/properties/constructor', /has no "constructor"; there is field/],
    ['/__proto__', /no "__proto__" in the arguments/],
  ] as const;
  for (const [path, expected] of cases) assert.match(String(schemaPart(whole, path)), expected);
});

for (const [count, isMarked] of [
  [250, true],
  [600, false],
] as const) {
  test(`of ${count} definitions that have no room, each is reached by the path that is told`, () => {
    const names = Array.from({ length: count }, (_, index) => `D${index}`);
    const padding = { maxLength: 1000, pattern: `^${'x'.repeat(200)}$` };
    const large: JsonSchema = {
      type: 'object',
      properties: { any: { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) } },
      $defs: Object.fromEntries(
        names.map((name) => [name, { type: 'object', properties: { [name]: padding } }]),
      ),
    };
    const part = partOf(large, '/any');
    const shown = part['$defs'] as Readonly<Record<string, unknown>>;
    const lacking = names.filter((name) => !Object.hasOwn(shown, name));
    const marked = marksIn(part);
    assert.equal(lacking.length === 0, isMarked);
    assert.equal(part['$comment'] === undefined, isMarked);
    assert.ok(marked.length > 100);
    assert.equal(marked.length + lacking.length < count, isMarked);
    for (const path of [...marked, ...lacking.map((name) => `#/$defs/${name}`)]) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      assert.deepEqual(partOf(large, path)['properties'], { [name]: padding });
    }
  });
}

test('one schema that has no room alone is cut by levels', () => {
  const inner = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`m${index}`, { type: 'string', maxLength: index }]),
  );
  const names = Array.from({ length: 50 }, (_, index) => `n/${index}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'object', properties: inner }]),
  );
  const part = partOf({ type: 'object', properties }, '');
  const cut = marksIn(part);
  assert.ok(cut.length >= names.length);
  const [path = ''] = cut;
  assert.equal(path, '#/properties/n~10');
  assert.deepEqual(partOf({ type: 'object', properties }, path), properties['n/0']);
});

test('a long list of values is read on where the part before ends', () => {
  const values = Array.from({ length: 12_000 }, (_, index) => `value_${index}`);
  const schema: JsonSchema = {
    type: 'object',
    properties: { list: { $ref: '#/$defs/List' } },
    $defs: { List: { enum: values } },
  };
  const found: unknown[] = [];
  for (let path: string | undefined = '#/$defs/List'; path !== undefined; ) {
    const part: JsonSchema = partOf(schema, path);
    found.push(...(part['enum'] as unknown[]));
    path = /path "(.*)" reads on/.exec(String(part['description']))?.[1];
  }
  assert.deepEqual(found, values);
});

function partOf(schema: JsonSchema, path: string): JsonSchema {
  const part = schemaPart(schema, path);
  assert.ok(typeof part !== 'string', String(part));
  assert.ok(JSON.stringify(part).length <= mostPartCharacters, path);
  return part;
}

/** The paths that cut places name. */
function marksIn(part: JsonSchema): string[] {
  const marks = JSON.stringify(part).matchAll(/Cut: path \\"(.*?)\\" reads it/g);
  return Array.from(marks, ([, path = '']) => path);
}

test('a place deep inside of alternatives that hold each other is found at once', () => {
  const node = { $ref: '#/$defs/Node' };
  const alternatives = Array.from({ length: 40 }, (_, index) => ({
    type: 'object',
    properties: {
      kind: { const: index },
      below: node,
      beside: { anyOf: [node, { const: index }] },
    },
  }));
  const nested = { properties: { top: node }, $defs: { Node: { anyOf: alternatives } } };
  const begun = process.cpuUsage();
  const part = schemaPart(nested, `/top${'/below'.repeat(60)}`);
  schemaPart(nested, `/top${'/beside'.repeat(60)}`);
  const { user, system } = process.cpuUsage(begun);
  // Without looking at each schema once, forty alternatives are sixteen hundred at each level.
  assert.ok(user + system < 2_000_000, `${user + system} microseconds`);
  assert.deepEqual(part, { ...node, $defs: nested.$defs });
});

test('a place deeper than anybody needs, or a longer path, is refused', () => {
  const deep = schemaPart(whole, '/not'.repeat(65));
  assert.match(String(deep), /^a place may be 64 levels deep, but 65 were given/);
  const long = schemaPart(whole, `/${'a'.repeat(1000)}`);
  assert.match(String(long), /^path must have at most 1000 characters, but 1001 were given/);
});
