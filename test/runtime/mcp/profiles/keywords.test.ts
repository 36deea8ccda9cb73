import assert from 'node:assert/strict';
import test from 'node:test';
import { isObject, type JsonSchema } from '#contract/json';
import { portableSchema, rootedSchema } from '../../../../runtime/mcp/profiles/portable-schema.ts';
import { References } from '../../../../runtime/mcp/profiles/references.ts';
import { strictSchema } from '../../../../runtime/mcp/profiles/strict-schema.ts';
import { mirroredArguments } from '../../../../runtime/offer/mirrored-arguments.ts';
import { applicators, schemaWith, titleOf } from '../../contract/schema/applicators.ts';

// A keyword that one of these forgot would be a hole: what stands in it would reach clients as it is.

const definitions = new Set(['$defs', 'definitions']);
const places = applicators.filter(({ keyword }) => !definitions.has(keyword));
const old = applicators.filter(({ keyword }) => definitions.has(keyword));

/** A schema of arguments with a reference to `place` at the keyword. */
function argumentsWith(applicator: (typeof applicators)[number], place: string): JsonSchema {
  const inner = schemaWith(applicator, { $ref: place });
  return { type: 'object', ...inner };
}

const loop = { type: 'object', properties: { again: { $ref: '#/$defs/loop' } } };
const plain = { type: 'object', properties: { x: { type: 'string' } } };

for (const applicator of places) {
  const title = titleOf(applicator);

  test(`a circle that begins in ${title} is seen`, () => {
    const schema = { ...argumentsWith(applicator, '#/$defs/loop'), $defs: { loop } };
    assert.equal(new References(schema).isCut(schema), true);
    const straight = { ...argumentsWith(applicator, '#/$defs/plain'), $defs: { plain } };
    assert.equal(new References(straight).isCut(straight), false);
  });

  test(`every form of a schema ends where one in ${title} is circular, and refers to its own`, () => {
    for (const place of ['#/$defs/loop', '#/definitions/loop', '#/nowhere']) {
      const schema = {
        ...argumentsWith(applicator, place),
        $defs: { loop },
        definitions: { loop },
      };
      for (const form of [
        portableSchema,
        rootedSchema,
        (each: JsonSchema) => strictSchema(each).schema,
      ]) {
        checkReferences(form(schema));
      }
    }
  });

  test(`the mark of a header in ${title} is seen`, () => {
    const marked = { type: 'string', 'x-mcp-header': 'Region' };
    // In a map, names that read like keywords of data hide nothing.
    for (const name of ['a', 'default', 'enum', 'x-mcp-header']) {
      const schema = { type: 'object', ...schemaWith(applicator, marked, name) };
      if (applicator.keyword === 'properties') {
        assert.equal(mirroredArguments('t', schema).length, 1);
      } else {
        assert.throws(() => mirroredArguments('t', schema), /where it is not reached/);
      }
    }
  });
}

for (const applicator of old) {
  test(`a mark in ${titleOf(applicator)} is seen, and definitions alone make no circle`, () => {
    const marked = { type: 'string', 'x-mcp-header': 'Region' };
    const schema = { type: 'object', ...schemaWith(applicator, marked, 'default') };
    assert.throws(() => mirroredArguments('t', schema), /where it is not reached/);
    const unused = { type: 'object', ...schemaWith(applicator, loop, 'loop') };
    assert.equal(new References(unused).isCut(unused), false);
  });
}

test('what is at the root for clients that take no combinations has none of any dialect', () => {
  const combinations = applicators.filter(({ keyword }) =>
    [
      'allOf',
      'anyOf',
      'oneOf',
      'not',
      'if',
      'then',
      'else',
      'dependentSchemas',
      'dependencies',
    ].includes(keyword),
  );
  for (const applicator of combinations) {
    const schema = { type: 'object', ...schemaWith(applicator, plain) };
    const rooted = rootedSchema(schema);
    assert.equal(rooted[applicator.keyword], undefined);
    const properties = isObject(rooted['properties']) ? Object.keys(rooted['properties']) : [];
    assert.deepEqual(properties, applicator.keyword === 'not' ? [] : ['x'], titleOf(applicator));
  }
});

/** Every reference leads to a definition, and none of those comes back to itself. */
function checkReferences(schema: JsonSchema): void {
  const all = isObject(schema['$defs']) ? schema['$defs'] : {};
  assert.equal(schema['definitions'], undefined);
  const visit = (part: unknown, above: readonly string[]): void => {
    for (const [, reference = ''] of JSON.stringify(part).matchAll(/"\$ref":"([^"]*)"/g)) {
      const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] ?? assert.fail(reference);
      assert.ok(Object.hasOwn(all, name), reference);
      assert.ok(!above.includes(name), `${name} comes back to itself`);
      visit(all[name], [...above, name]);
    }
  };
  const { $defs: _, ...rest } = schema;
  visit(rest, []);
}
