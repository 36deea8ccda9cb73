import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject } from '#contract/json';
import { schemaNode } from '../../../generator/model/vendor/answer/output-node.ts';
import { outputSchema } from '../../../generator/model/vendor/answer/output-schema.ts';
import { planProvider } from '../../../generator/model/vendor/plan-provider.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';
import { createSchemaCompiler } from '../../../runtime/admission/steps/schema-compiler.ts';
import { RandomSchemas } from './random-schemas.ts';

const bodies = 60;
const valuesEach = 30;

/** The dialect as everybody reads it: what the document says, checked by nobody of ours. */
const independent = addFormats.default(
  new Ajv2020({
    ...{ strict: false, unicodeRegExp: false, logger: false },
    // What is compiled is asked a few times.
    code: { optimize: false },
  }),
);

function documentWith(schemas: readonly object[], isRequired: boolean): ApiDocument {
  const paths = schemas.map((schema, index) => [
    `/things/${index}`,
    {
      post: {
        operationId: `create${index}`,
        requestBody: { required: isRequired, content: { 'application/json': { schema } } },
        responses: {},
      },
    },
  ]);
  return {
    root: { openapi: '3.1.0', info: {}, paths: Object.fromEntries(paths) },
    version: '3.1',
    file: 'openapi.yaml',
    locate: () => ({ file: 'openapi.yaml', line: 1, column: 1 }),
  };
}

function toolsOf(document: ApiDocument, count: number) {
  const { model } = planProvider({
    folder: 'specs/providers/golden',
    document,
    fixtures: [],
    curationFile: document,
    curation: {
      provider: 'golden',
      title: 'Golden',
      servers: [{ url: 'https://api.example.com' }],
      auth: [{ type: 'none' }],
      operations: Array.from({ length: count }, (_, index) => ({
        name: `golden_things_${index}`,
        resource: 'things',
        from: { operationId: `create${index}` },
        purpose: 'Create a thing of the example',
        annotations: { readOnly: false, destructive: false, idempotent: false },
      })),
    },
  });
  return model.tools;
}

for (const [seed, isRequired] of [
  [20261122, true],
  [7, false],
] as const) {
  const kind = isRequired ? 'required' : 'optional';
  test(`a ${kind} body is refused exactly where the description forbids it`, () => {
    const random = new RandomSchemas(seed);
    const schemas = Array.from({ length: bodies }, () => random.body());
    const tools = toolsOf(documentWith(schemas, isRequired), bodies);
    const { compile } = createSchemaCompiler({ allErrors: false });
    const seen = { taken: 0, refused: 0 };
    for (const [index, schema] of schemas.entries()) {
      const input = tools[index]?.definition.input ?? {};
      const ours = compile(input);
      const theirs = independent.compile(schema);
      const given = Object.keys(isObject(input['properties']) ? input['properties'] : {});
      // Without members that are described, the body is one argument.
      const isWhole = given.includes('body');
      const known = isWhole ? [] : given;
      for (let count = 0; count < valuesEach; count++) {
        const body = random.value(known);
        const isAbsent =
          !isRequired && !isWhole && known.every((name) => !Object.hasOwn(body, name));
        const expected = isAbsent || (theirs(body) && isDeclared(schema, body));
        seen[expected ? 'taken' : 'refused']++;
        assert.equal(ours(isWhole ? { body } : body), expected, told({ schema, input, body }));
      }
    }
    // Both happen often, so that agreement means something.
    assert.ok(Math.min(seen.taken, seen.refused) > (bodies * valuesEach) / 20, told(seen));
  });
}

test('a member that nobody declares is absent wherever a rule asks for it', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' } };
  const absent = { required: ['elsewhere'] };
  const schemas = [
    { type: 'object', properties, not: absent },
    { type: 'object', properties, not: { required: ['a', 'elsewhere'] } },
    {
      type: 'object',
      properties,
      if: absent,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['a'] },
      else: { required: ['b'] },
    },
    { type: 'object', properties, not: { anyOf: [absent, { required: ['a'] }] } },
  ];
  const { compile } = createSchemaCompiler({ allErrors: false });
  const tools = toolsOf(documentWith(schemas, true), schemas.length);
  for (const [index, schema] of schemas.entries()) {
    const ours = compile(tools[index]?.definition.input ?? {});
    const theirs = independent.compile(schema);
    for (const body of [{}, { a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }]) {
      assert.equal(ours(body), theirs(body), told({ schema, body }));
    }
  }
});

// Descriptions of 3.0 become lists of types, generators for 3.1 write branches.
test('null among alternatives means the same however it is written', () => {
  const a = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  const b = { type: 'integer' };
  const listed = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });
  const branch = (keyword: string) => (schema: object) => ({
    [keyword]: [schema, { type: 'null' }],
  });
  const forms = [listed, branch('anyOf'), branch('oneOf')];
  const { compile } = createSchemaCompiler({ allErrors: false });
  for (const keyword of ['oneOf', 'anyOf']) {
    const schemas = forms.map((form) => ({
      type: 'object',
      properties: {
        value: { [keyword]: [form(a), form(b)] },
        list: { type: 'array', items: form(a) },
      },
    }));
    const tools = toolsOf(documentWith(schemas, true), schemas.length);
    for (const value of [null, { a: 'x' }, { a: 1 }, 1, 'x', [null]]) {
      for (const body of [{ value }, { list: [value] }]) {
        const expected = independent.validate(schemas[0] ?? {}, body);
        for (const [index, schema] of schemas.entries()) {
          const ours = compile(tools[index]?.definition.input ?? {});
          assert.equal(independent.validate(schema, body), expected, told({ schema, body }));
          assert.equal(ours(body), expected, told({ schema, body }));
        }
      }
    }
  }
});

test('right answers are never held to be misfits, whatever alternatives they have', () => {
  const random = new RandomSchemas(31);
  const document = documentWith([], true);
  const { compile } = createSchemaCompiler({ allErrors: false });
  let right = 0;
  for (let index = 0; index < bodies; index++) {
    const schema = random.body();
    const ours = compile(outputSchema(schemaNode(document, schema)));
    const theirs: ValidateFunction = independent.compile(schema);
    const named = namesOf(schema);
    for (let count = 0; count < valuesEach; count++) {
      const answer = random.value([...named]);
      if (!theirs(answer) || !isDeclared(schema, answer)) continue;
      right++;
      assert.ok(ours(answer), told({ schema, answer, errors: ours.errors }));
    }
  }
  assert.ok(right > bodies, String(right));
});

/**
 * Whether each member is as something declares it that names it. An alternative that does not name
 * a member takes anything for it; there, this server wants what another alternative says of it.
 */
function isDeclared(schema: Record<string, unknown>, body: Record<string, unknown>): boolean {
  return Object.entries(body).every(([name, value]) =>
    declarationsOf(name, schema).some((each) => independent.validate(each, value)),
  );
}

function declarationsOf(name: string, schema: unknown): (object | boolean)[] {
  if (!isObject(schema)) return [];
  const { properties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const inner = ['oneOf', 'anyOf', 'allOf', 'if', 'then', 'else'].flatMap(
    (keyword) => schema[keyword] ?? [],
  );
  return [...(own as object[]), ...inner.flatMap((each) => declarationsOf(name, each))];
}

function namesOf(schema: unknown): Set<string> {
  const own = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const inner = isObject(schema)
    ? ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => schema[keyword] ?? [])
    : [];
  return new Set([...Object.keys(own), ...inner.flatMap((each) => [...namesOf(each)])]);
}

function told(value: unknown): string {
  return JSON.stringify(value, null, 1);
}
