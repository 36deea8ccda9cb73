import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readWholeDocument } from './whole-document.ts';

const root = {
  swagger: '2.0',
  paths: {
    '/a/{id}': { put: { responses: { 400: {} } } },
    '/a/{id}:stop?force=1': {
      put: { responses: { 200: { schema: { $ref: '#/definitions/No' } } } },
    },
    '/b': { $ref: 'missing.yaml' },
    '/c': { put: { parameters: [{ name: 'note', in: 'formData', type: 'string' }] } },
  },
};

test('a description of which bodies have no media type at all takes JSON', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  writeFileSync(file, JSON.stringify({ swagger: '2.0', consumes: [], paths: {} }));
  const document = readWholeDocument(file);
  t.after(() => document.close());
  const copy = JSON.parse(readFileSync(document.file, 'utf8'));
  assert.deepEqual(copy.consumes, ['application/json']);
});

test('what no mock could read is mended in a copy, and operations are found by their requests', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  writeFileSync(file, JSON.stringify(root));
  const document = readWholeDocument(file);
  assert.notEqual(document.file, file);
  const copy = JSON.parse(readFileSync(document.file, 'utf8'));
  assert.deepEqual(copy.consumes, ['application/json']);
  assert.deepEqual(copy.paths['/c'].put.consumes, ['application/x-www-form-urlencoded']);
  assert.doesNotMatch(JSON.stringify(copy), /\$ref/);
  const templates = (url: string) => document.at('PUT', url).map(({ template }) => template);
  assert.deepEqual(templates('/a/1?x=2'), ['/a/{id}']);
  assert.deepEqual(templates('/a/1:stop'), ['/a/{id}', '/a/{id}:stop']);
  assert.deepEqual(document.at('PUT', '/a/1')[0]?.statuses, ['400']);
  assert.deepEqual(document.at('GET', '/a/1'), []);
  document.close();
});

test('a scheme that is not declared is none that a mock could demand', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  const get = (...names: string[]) => ({
    get: { security: names.map((name) => ({ [name]: [] })) },
  });
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  const paths = { '/a': get('other'), '/b': get('other', 'key') };
  writeFileSync(file, JSON.stringify({ components, paths }));
  const document = readWholeDocument(file);
  t.after(() => document.close());
  assert.deepEqual(JSON.parse(readFileSync(document.file, 'utf8')), {
    components,
    paths: { '/a': get(), '/b': paths['/b'] },
  });
});

test('headers that are worked out from each request are known as such, a key is not', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  const header = (name: string, more: object) => ({ name, in: 'header', required: true, ...more });
  const pattern = 'keyId="[^"]+",signature="[^"]+"';
  const parameters = {
    Signed: header('Authorization', { schema: { type: 'string', pattern } }),
  };
  const post = { parameters: [{ $ref: '#/components/parameters/Signed' }] };
  const get = {
    parameters: [
      header('X-Api-Key', { description: 'send it with X-Hmac, a HMAC of the body' }),
      header('X-Hmac', {}),
    ],
  };
  const paths = { '/a': { post, get } };
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', components: { parameters }, paths }));
  const document = readWholeDocument(file);
  t.after(() => document.close());
  const of = (method: string) => document.at(method, '/a').flatMap((each) => each.signatures());
  assert.deepEqual(of('POST'), ['authorization']);
  assert.deepEqual(of('GET'), ['x-hmac']);
});

test('what needs no credential demands none of the mock', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  const demanded = { post: { security: [{ key: [] }] } };
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  const security = [{ key: [] }, {}];
  writeFileSync(
    file,
    JSON.stringify({
      components,
      security,
      paths: { '/a': { get: { security }, ...demanded }, '/b': { $ref: 'x.json' } },
    }),
  );
  const document = readWholeDocument(file);
  t.after(() => document.close());
  assert.deepEqual(JSON.parse(readFileSync(document.file, 'utf8')), {
    components,
    security: [],
    // From the copy, a reference leads to where it did.
    paths: { '/a': { get: { security: [] }, ...demanded }, '/b': { $ref: file } },
  });
});

test('where an operation takes the media types of its body or answer away, the others stand', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  const emptied = { consumes: [], produces: [] };
  const parameters = [{ in: 'body', name: 'body', schema: {} }];
  const responses = { 200: { schema: {} } };
  const paths = {
    '/a': { post: { ...emptied, parameters, responses: { 204: {} } } },
    '/b': { get: { ...emptied, responses } },
  };
  writeFileSync(file, JSON.stringify({ swagger: '2.0', consumes: ['application/xml'], paths }));
  const document = readWholeDocument(file);
  t.after(() => document.close());
  assert.deepEqual(JSON.parse(readFileSync(document.file, 'utf8')).paths, {
    '/a': { post: { produces: [], parameters, responses: { 204: {} } } },
    '/b': { get: { consumes: [], responses } },
  });
});

test('a description that can be read is read where it stands', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.yaml');
  writeFileSync(file, 'openapi: 3.1.0\npaths: { /a: { get: {} } }\n');
  assert.equal(readWholeDocument(file).file, file);
});

test('a byte order mark is kept from the mock (RFC 8259, section 8.1)', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.json');
  writeFileSync(file, `\uFEFF${JSON.stringify({ openapi: '3.1.0', paths: {} })}`);
  const document = readWholeDocument(file);
  t.after(() => document.close());
  assert.deepEqual(JSON.parse(readFileSync(document.file, 'utf8')).paths, {});
});

test('a description that repeats parts by many aliases can be read', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.yaml');
  const twice = Array.from({ length: 150 }, (_, index) => `  /a${index}: *item`).join('\n');
  writeFileSync(file, `openapi: 3.1.0\npaths:\n  /a: &item { get: { responses: {} } }\n${twice}\n`);
  const document = readWholeDocument(file);
  t.after(() => document.close());
  assert.equal(document.at('GET', '/a149').length, 1);
});

test('a text in quotes that is not indented is read as the generator reads it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.yaml');
  writeFileSync(file, 'info:\n  title: "One\ntwo"\npaths: {}\n');
  const document = readWholeDocument(file);
  t.after(() => document.close());
  const { info } = JSON.parse(readFileSync(document.file, 'utf8'));
  assert.deepEqual(info, { title: 'One two' });
});
