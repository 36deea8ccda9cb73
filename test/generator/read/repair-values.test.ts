import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readApi } from '../../../generator/read/read-api.ts';
import { plain } from './read-files.ts';
import { repaired, responses } from './repaired.ts';

/** How `provider add` reads the schema of a parameter, and what it says of it. */
async function read(t: TestContext, head: string, parameter: string) {
  const root = mkdtempSync(join(tmpdir(), 'repair-values-'));
  t.after(() => rmSync(root, { recursive: true }));
  const file = join(root, 'api.yaml');
  const paths = `paths: { /a: { get: { parameters: [${parameter}], responses: { 200: { description: ok } } } } }`;
  writeFileSync(file, `${head}\ninfo: { title: A, version: '1' }\n${paths}\n`);
  const { document, diagnostics } = await readApi({ file, root, base: root, repairs: true });
  assert.ok(document, JSON.stringify(diagnostics));
  const { schema } = plain(document).paths['/a'].get.parameters[0];
  return { schema, told: diagnostics.map(({ code, message }) => `${code} ${message}`) };
}

const cases: readonly (readonly [string, object, string?])[] = [
  [
    '{ type: string, enum: [1.0, 1.10, 07, 2] }',
    { type: 'string', enum: ['1.0', '1.10', '07', '2'] },
    '1 is read as of type string',
  ],
  ['{ type: string, enum: [a, true] }', { type: 'string', enum: ['a', 'true'] }],
  [
    '{ type: string, enum: [a, 1, "1", null] }',
    { type: ['string', 'null'], enum: ['a', '1', null] },
  ],
  ['{ type: string, default: 1.10 }', { type: 'string', default: '1.10' }],
  [
    '{ type: integer, enum: ["1", "2"], default: "2" }',
    { type: 'integer', enum: [1, 2], default: 2 },
  ],
  ['{ type: number, enum: ["0.5", "1e3"] }', { type: 'number', enum: [0.5, '1e3'] }],
  ['{ type: boolean, enum: ["true"] }', { type: 'boolean', enum: [true] }],
  [
    '{ type: array, items: { type: string }, enum: [a, b] }',
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    'values of an array must be arrays; these are read as those of its items',
  ],
  [
    '{ type: object, nullable: true, enum: [a, b, null] }',
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    'values that are all texts are listed: the type is read as string',
  ],
  ['{ type: object, enum: [a, 1] }', { type: 'object', enum: ['a', 1] }],
  ['{ type: array, items: {}, enum: [[a]] }', { type: 'array', items: {}, enum: [['a']] }],
  ['{ type: integer, enum: [1, all] }', { type: 'integer', enum: [1, 'all'] }],
  [
    '{ type: integer, description: Whose., enum: [1, 9007199254740993], default: 9007199254740993 }',
    {
      type: 'integer',
      description: 'One of 1, 9007199254740993. Whose.',
      format: 'int64',
    },
    'readers of JSON round these numbers: their digits are taken as text, unchecked',
  ],
  [
    '{ type: integer, enum: [18446744073709551615] }',
    { type: 'integer', description: 'Always 18446744073709551615.', format: 'uint64', minimum: 0 },
  ],
  [
    '{ type: string, enum: ["07", b], default: b }',
    { type: 'string', enum: ['07', 'b'], default: 'b' },
  ],
];

for (const [written, meant, told] of cases) {
  test(`${written} is read as values that can be sent`, async (t) => {
    const nullable = written.includes('null')
      ? written.replace('}', ', nullable: true }')
      : written;
    const found = await read(t, 'openapi: 3.0.3', `{ name: v, in: query, schema: ${nullable} }`);
    assert.deepEqual(found.schema, meant);
    if (told !== undefined) assert.ok(found.told.includes(`SPEC005 ${told}`), found.told.join());
  });
}

test('a parameter of Swagger 2.0 says itself what its values are', async (t) => {
  const { schema } = await read(
    t,
    "swagger: '2.0'",
    '{ name: v, in: query, type: string, enum: [1.0, b] }',
  );
  assert.deepEqual(schema, { type: 'string', enum: ['1.0', 'b'] });
});

test('null as a default says that there is none, but where it is a value', async (t) => {
  for (const [written, meant] of [
    ['{ type: string, default: null }', { type: 'string' }],
    [
      '{ type: string, nullable: true, default: null }',
      { type: ['string', 'null'], default: null },
    ],
  ] as const) {
    const found = await read(t, 'openapi: 3.0.3', `{ name: v, in: query, schema: ${written} }`);
    assert.deepEqual(found.schema, meant);
    assert.deepEqual(found.told, []);
  }
});

test('what is called like a member of every object is only unknown', async (t) => {
  const schema = { type: 'integer', format: 'constructor', minimum: 1 };
  const nowhere = { name: 'q', in: 'constructor', style: 'form', schema };
  const { errors } = await repaired(t, {
    openapi: '3.0.3',
    paths: {
      '/a': { get: { parameters: [nowhere, { name: 'r', in: 'query', schema }], responses } },
    },
  });
  assert.match(String(errors), /constructor/);
});
