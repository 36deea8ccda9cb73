import assert from 'node:assert/strict';
import test from 'node:test';
import { isObject } from '#contract/json';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import { closeSchema } from '../../../generator/model/schema/schema-closure.ts';
import { schemaHash } from '../../../generator/model/schema/schema-hash.ts';
import { ToolSchemas } from '../../../generator/model/schema/tool-schema.ts';
import { sliceDocument } from '../../../generator/provider/draft/slice-document.ts';
import { applicators, schemaWith, titleOf } from '../../runtime/contract/schema/applicators.ts';
import { readGood } from '../read/read-files.ts';

// A keyword that one of these forgot would be a hole, through which references and changes slip.

const definitions = new Set(['$defs', 'definitions']);
const reference = { $ref: '#/components/schemas/B' };

/** A description with one operation, whose answer is the schema A. */
function description(a: object): string {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
  const get = { operationId: 'get', responses: { 200: { description: 'It', content } } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get } },
    components: { schemas: { A: a, B: { type: 'string' } } },
  });
}

for (const applicator of applicators) {
  const title = titleOf(applicator);
  const schema = schemaWith(applicator, reference);

  test(`a reference in ${title} to another file is bundled`, async (t) => {
    const foreign = schemaWith(applicator, { $ref: 'other.yaml#/Far' });
    const { root } = await readGood(t, {
      'openapi.json': description(foreign),
      'other.yaml': 'Far: { type: integer }',
    });
    assert.deepEqual(root.components.schemas.Far, { type: 'integer' });
    assert.match(JSON.stringify(root.components.schemas.A), /"#\/components\/schemas\/Far"|^\{\}$/);
  });

  test(`a slice has what a schema in ${title} refers to`, async (t) => {
    const { document } = await readGood(t, { 'openapi.json': description(schema) });
    const { all: operations } = new ApiOperations(document);
    const isCredential = () => false;
    const sliced = sliceDocument(document, {
      operations,
      isCredential,
      texts: true,
      exampleOf: () => undefined,
      headersOf: () => [],
    });
    const { schemas } = sliced['components'] as { schemas: Record<string, unknown> };
    const isOfNoUse = applicator.keyword === 'additionalItems';
    assert.deepEqual(Object.keys(schemas), isOfNoUse ? ['A'] : ['A', 'B']);
  });

  test(`the definitions of a tool of this server hold what ${title} refers to`, () => {
    const closed = closeSchema(schema, new Map([['B', { type: 'string' }]]));
    const kept = schemaWith(applicator, { $ref: '#/$defs/B' });
    const own = isObject(kept['$defs']) ? kept['$defs'] : {};
    assert.deepEqual(closed, { ...kept, $defs: { ...own, B: { type: 'string' } } });
  });
}

// What is left of the others: they say the same in the dialect of tools, or limit nothing.
const carried = applicators.filter(
  ({ keyword }) => !definitions.has(keyword) && keyword !== 'additionalItems',
);

for (const applicator of carried) {
  const title = titleOf(applicator);

  test(`a tool of a vendor says what ${title} says, with the definitions for it`, async (t) => {
    const schema = schemaWith(applicator, reference);
    const { document } = await readGood(t, { 'openapi.json': description(schema) });
    const schemas = new ToolSchemas(document);
    const { schema: converted, references } = schemas.convert(
      document.root.components?.['schemas']?.['A'],
    );
    const today = applicator.keyword === 'dependencies' ? 'dependentSchemas' : applicator.keyword;
    // A lone reference in allOf says the same without it.
    const expected =
      today === 'allOf'
        ? { $ref: '#/$defs/B' }
        : schemaWith({ ...applicator, keyword: today }, { $ref: '#/$defs/B' });
    assert.deepEqual(converted, expected);
    assert.deepEqual(schemas.closure(references).definitions, [['B', { type: 'string' }]]);
  });

  test(`the lock of a tool notices a change in ${title}`, () => {
    const hashOf = (inner: unknown, root = {}, name = 'a') =>
      schemaHash(schemaWith(applicator, inner, name), root);
    const short = { type: 'string', maxLength: 1 };
    const long = { type: 'string', maxLength: 2 };
    assert.notEqual(hashOf(short), hashOf(long));
    assert.notEqual(hashOf(true), hashOf(false));
    assert.equal(hashOf(short), hashOf({ ...short, description: 'One letter' }));
    // In a map, names that read like keywords of words hide nothing.
    if (applicator.holds === 'map') {
      assert.notEqual(hashOf(short, {}, 'title'), hashOf(long, {}, 'title'));
      assert.notEqual(hashOf(short, {}, 'title'), hashOf(short, {}, 'description'));
    }
    for (const place of ['$defs', 'definitions']) {
      const to = { $ref: `#/${place}/x` };
      assert.notEqual(
        hashOf(to, { [place]: { x: short } }),
        hashOf(to, { [place]: { x: long } }),
        `behind ${to.$ref}`,
      );
    }
    const recursive = { $ref: '#' };
    assert.notEqual(hashOf(recursive, short), hashOf(recursive, long));
  });
}

test('names that a property needs are told apart, whatever they read like (2020-12 validation, 6.5.4)', () => {
  const hashOf = (name: string, needed: string) =>
    schemaHash({ dependentRequired: { [name]: [needed] } }, {});
  assert.notEqual(hashOf('title', 'a'), hashOf('title', 'b'));
  assert.notEqual(hashOf('title', 'a'), hashOf('description', 'a'));
});

test('what follows a tuple, and what properties need, is said in the dialect of tools', async (t) => {
  const dependencies = { card: ['address'], cash: { required: ['change'] } };
  const tuple = [{ type: 'string' }];
  const { root: swagger } = await readGood(t, {
    'swagger.json': JSON.stringify({
      swagger: '2.0',
      info: { title: 'T', version: '1' },
      paths: {},
      definitions: { A: { type: 'array', items: tuple } },
    }),
  });
  assert.deepEqual(swagger.components.schemas.A, { type: 'array', prefixItems: tuple });
  const { root } = await readGood(t, { 'openapi.json': description({ dependencies }) });
  assert.deepEqual(root.components.schemas.A, {
    dependentRequired: { card: ['address'] },
    dependentSchemas: { cash: { required: ['change'] } },
  });
});

test('a choice demands the property that tells its alternatives apart (OpenAPI 3.1.1, Discriminator Object)', async (t) => {
  const kind = (name: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', enum: [name], default: name }, text: {} },
  });
  const choice = (list: readonly object[], keyword = 'oneOf') => ({
    [keyword]: list,
    discriminator: { propertyName: 'kind' },
  });
  const told = [kind('a'), { allOf: [kind('b')] }];
  const { document } = await readGood(t, { 'openapi.json': description({}) });
  const required = (schema: object) => new ToolSchemas(document).convert(schema).schema['required'];
  assert.deepEqual(required(choice(told)), ['kind']);
  assert.deepEqual(required({ ...choice(told), required: ['text'] }), ['text', 'kind']);
  assert.equal(required(choice([...told, { type: 'object' }])), undefined);
  assert.equal(required(choice(told, 'anyOf')), undefined);
});
