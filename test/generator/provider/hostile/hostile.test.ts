import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { createWorkplace } from '../workplace.ts';
import { answer, curation, described } from './described-things.ts';

const own = "\nheaders: { X-A: '{env:HOME}' }\nuser_agent: M";

for (const [what, description] of [
  ['path', described({ [`/m${own}`]: { delete: { operationId: 'm', ...answer } } })],
  ['path with a carriage return', described({ [`/m\r${own}`]: { delete: answer } })],
  ['path with a carriage return alone', described({ '/m\rheaders: {}': { delete: answer } })],
  ['id', described({ '/m': { delete: { operationId: `m\r${own}`, ...answer } } })],
  ['tag', described({ '/m': { delete: { tags: [`m${own}`], summary: `m${own}`, ...answer } } })],
  ['title', described({}, { title: `T\r${own}` })],
  [
    'parameter',
    described({
      '/m': { get: { parameters: [{ name: `a${own}`, in: 'query', schema: {} }], ...answer } },
    }),
  ],
] as const) {
  test(`a line break in a ${what} writes no key into the curation`, async (t) => {
    const place = createWorkplace(t);
    place.write('things.json', description);
    const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
    assert.equal(code, 0, err);
    const written = parse(place.read(curation));
    assert.deepEqual([written.headers, written.user_agent], [undefined, undefined]);
    assert.equal(written.operations[0].name, 'acme_list_things');
    assert.equal((await place.run('check', 'acme')).code, 0);
  });
}

test('a path with hidden controls costs its operations, with a word', async (t) => {
  const place = createWorkplace(t);
  place.write('things.json', described({ '/a\r\nX-Evil: 1': { get: answer } }));
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
  assert.match(out, /1 of 1 operations/);
  assert.match(err + out, /"\/a\\r\\nX-Evil: 1" holds control characters: it is left out/);
});

test('what a description holds moves no cursor and hides no text on the terminal', async (t) => {
  const place = createWorkplace(t);
  const odd = '\u001b[2J\u202e\u200b\u009b1m';
  const parameters = [{ name: `X-${odd}`, in: 'header', schema: { type: 'string' } }];
  const broken = { $ref: `#/components/schemas/${odd}` };
  const body = { content: { 'application/json': { schema: broken } } };
  const description = described(
    {
      [`/${odd.slice(4)}`]: { get: { parameters, ...answer, summary: odd } },
      '/b': { post: { requestBody: body, ...answer } },
    },
    { title: odd, version: odd },
  );
  place.write('things.json', description);
  const { out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.doesNotMatch(out + err, /[^\P{C}\n]/u);
  const other = { openapi: '3.0.0', info: {}, paths: { '/b': { post: { requestBody: body } } } };
  place.write('other.json', JSON.stringify(other));
  const refused = await place.run('add', 'other', '--openapi', 'other.json');
  assert.doesNotMatch(refused.out + refused.err, /[^\P{C}\n]/u);
  assert.match(refused.err, /\\u\{1b\}\[2J/);
});

test('what nobody sees in a description is seen in each file that is written', async (t) => {
  const place = createWorkplace(t);
  const odd = '\u202e\u200b\u2066\ufeff\u00ad\u{e0041}';
  const member = { type: 'string', description: `A ${odd}` };
  const schema = { type: 'object', properties: { a: member } };
  const body = { content: { 'application/json': { schema, example: { a: odd } } } };
  const paths = {
    '/b': {
      get: {
        operationId: 'list_b',
        summary: `List ${odd}`,
        responses: { 200: { description: odd, ...body } },
      },
    },
  };
  place.write(
    'things.json',
    described(paths, { title: `T${odd}`, version: `1${odd}`, description: odd }),
  );
  assert.equal((await place.run('add', 'acme', '--openapi', 'things.json')).code, 0);
  const folder = 'specs/providers/acme';
  const fixtures = readdirSync(join(place.base, folder, 'fixtures')).map(
    (name) => `fixtures/${name}`,
  );
  for (const name of ['curation.yaml', 'openapi.yaml', 'UPSTREAM.json', ...fixtures]) {
    assert.doesNotMatch(place.read(`${folder}/${name}`), /\p{Cf}/u, name);
  }
  const written = parse(place.read(`${folder}/openapi.yaml`));
  const members = written.paths['/b'].get.responses[200].content['application/json'].schema;
  assert.equal(members.properties.a.description, `A ${odd}`, 'the same stands there');
  assert.equal(JSON.parse(place.read(`${folder}/UPSTREAM.json`)).version, `1${odd}`);
});

test('many problems with long texts are told in few words', async (t) => {
  const place = createWorkplace(t);
  const paths = Array.from({ length: 150 }, (_, index) => `/${index}${'/{x}'.repeat(450)}`);
  const all = { openapi: '3.0.0', paths: Object.fromEntries(paths.map((path) => [path, {}])) };
  const description = { ...all, info: { title: 'A', version: '1' } };
  place.write('things.json', JSON.stringify(description));
  const { err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.match(err, /error SPEC010 \{x\} stands twice in \/0\/\{x\}/);
  assert.match(err, /\nand 50 more\n/);
  assert.ok(err.length < 150_000, `${err.length} characters`);
});

test("headers and queries name no variable but the provider's own", async (t) => {
  const place = createWorkplace(t);
  place.write('things.json', described({}));
  await place.run('add', 'acme', '--openapi', 'things.json');
  const drafted = place.read(curation);
  const check = async (lines: string) => {
    place.write(curation, drafted.replace('operations:', `${lines}\noperations:`));
    return await place.run('check', 'acme');
  };
  const home = await check("headers: { X-A: '{env:HOME}' }");
  assert.equal(home.code, exitCodes.errors);
  assert.match(home.err, /error P005 "X-A" holds the variable HOME/);
  assert.equal((await check("query: { a: '{env:SERVICE_OTHER_REGION}' }")).code, exitCodes.errors);
  assert.equal((await check("query: { a: '{env:SERVICE_ACME_REGION}' }")).code, 0);
  assert.equal((await check("query: { a: '{env:SERVICE_CONTACT}' }")).code, 0);
});

for (const [what, composed] of [
  ['members', (next: object) => ({ type: 'object', properties: { a: next, b: next } })],
  ['parts', (next: object) => ({ allOf: [next, next] })],
  ['alternatives of parts', (next: object) => ({ oneOf: [next, { allOf: [next, next] }] })],
] as const) {
  test(`forty schemas whose ${what} multiply cost no more than their operation`, async (t) => {
    const place = createWorkplace(t);
    const next = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`S${index}`, composed(next(index + 1))]),
    );
    const content = { content: { 'application/json': { schema: next(0) } } };
    const created = { responses: { 200: { description: 'ok', ...content } } };
    const paths = { '/all': { post: { operationId: 'make', requestBody: content, ...created } } };
    const text = JSON.parse(described(paths));
    text.components = { schemas: { ...schemas, S40: { type: 'object', properties: {} } } };
    place.write('things.json', JSON.stringify(text));
    const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
    assert.equal(code, 0, err);
    assert.match(out, /^swagger-parser was not asked: it takes too long/m);
    assert.match(place.read(curation), /^ {2}- name: acme_list_things\b/m);
    if (what === 'members') return;
    assert.match(
      out,
      /acme_all: \$ref by \$ref, more than 5000 schemas say something of one value/,
    );
    assert.doesNotMatch(place.read(curation), /^ {2}- name: acme_all\b/m);
  });
}

test('forms that name their whole as a part of them cost no more than reading them', async (t) => {
  const place = createWorkplace(t);
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const content = { content: { 'application/json': { schema: to('Pet') } } };
  const paths = { '/pets': { post: { operationId: 'make', requestBody: content, ...answer } } };
  const text = JSON.parse(described(paths));
  const form = { allOf: [to('Pet'), { properties: { lives: { type: 'integer' } } }] };
  const Pet = { properties: { name: { type: 'string' } }, oneOf: [to('Cat'), to('Dog')] };
  text.components = { schemas: { Pet, Cat: form, Dog: form } };
  place.write('things.json', JSON.stringify(text));
  const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
});

test('schemas that turn on themselves cost no more than their operation', async (t) => {
  const place = createWorkplace(t);
  const itself = { $ref: '#/components/schemas/Turned' };
  for (const Turned of [{ not: itself }, { anyOf: [itself, { type: 'string' }] }]) {
    const requestBody = { content: { 'application/json': { schema: itself } } };
    const text = JSON.parse(
      described({ '/turned': { post: { operationId: 'turn', requestBody, ...answer } } }),
    );
    text.openapi = '3.1.0';
    text.components = { schemas: { Turned } };
    delete text.paths['/things'];
    place.write('things.json', JSON.stringify(text));
    const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
    assert.notEqual(code, exitCodes.internal, err);
    assert.match(err, /comes back to itself without end/);
  }
});

test('an optional parameter of which no value would be taken keeps its operation off', async (t) => {
  const place = createWorkplace(t);
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const parameters = [{ name: 'filter', in: 'query', schema: to('Either') }];
  const deep = [{ name: 'tree', in: 'query', schema: to('Tree') }];
  const text = JSON.parse(
    described({
      '/turned': { get: { operationId: 'list_turned', parameters, ...answer } },
      '/trees': { get: { operationId: 'list_trees', parameters: deep, ...answer } },
    }),
  );
  text.components = {
    schemas: {
      Either: { oneOf: [to('Or'), { type: 'string' }] },
      Or: { oneOf: [to('Either'), { type: 'integer' }] },
      Tree: { oneOf: [{ type: 'string' }, { type: 'array', items: to('Tree') }] },
    },
  };
  place.write('things.json', JSON.stringify(text));
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
  assert.match(out, /2 of 3 operations are switched on/);
  assert.match(
    place.read(curation),
    /# - name: acme_list_turned .*comes back to itself without end at \/\$defs\/Either/,
  );
  assert.match(place.read(curation), /^ {2}- name: acme_list_trees$/m);
});

test('references that multiply where nobody looks keep other readers away', async (t) => {
  const place = createWorkplace(t);
  const next = (index: number) => ({ $ref: `#/definitions/S${index}` });
  const levels = Array.from({ length: 40 }, (_, index) => [
    `S${index}`,
    // What Swagger 2.0 does not know is taken out before the document is used.
    { type: 'object', anyOf: [next(index + 1), next(index + 1)] },
  ]);
  const body = { name: 'body', in: 'body', schema: next(0) };
  place.write(
    'things.json',
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Things', version: '1' },
      host: 'api.things.example',
      paths: { '/things': { post: { operationId: 'make', parameters: [body], ...answer } } },
      definitions: { ...Object.fromEntries(levels), S40: { type: 'object' } },
    }),
  );
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
  assert.match(out, /^swagger-parser was not asked: it takes too long/m);
});

test('a name that holds a percent sign is only a name', async (t) => {
  const place = createWorkplace(t);
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/a%25b' } },
  };
  const text = JSON.parse(
    described({ '/shares': { get: { responses: { 200: { description: 'ok', content } } } } }),
  );
  text.components = {
    schemas: { 'a%b': { type: 'object', properties: { share: { type: 'integer' } } } },
  };
  place.write('things.json', JSON.stringify(text));
  const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
  assert.match(place.read('specs/providers/acme/openapi.yaml'), /share:/);
});

test('an example of an object in a path is written out', async (t) => {
  const place = createWorkplace(t);
  const example = { a: { b: 'c' } };
  const at = { name: 'at', in: 'path', required: true, schema: { type: 'object', example } };
  const get = { operationId: 'get_thing', parameters: [at], ...answer };
  // What the reader makes of it has no prototype, and no text of its own.
  place.write('things.json', described({ '/things/{at}': { get } }));
  const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, 0, err);
});

test('a draft writes through no symbolic link, be it a file or a folder', async (t) => {
  const place = createWorkplace(t);
  place.write('things.json', described({}));
  place.write('outside/precious.txt', 'as it was');
  const add = () => place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal((await add()).code, 0);
  const own = join(place.base, 'specs/providers/acme/openapi.yaml');
  rmSync(own);
  symlinkSync(join(place.base, 'outside/precious.txt'), own);
  const { code, err } = await add();
  assert.equal(code, exitCodes.errors);
  assert.match(
    err,
    /^specs\/providers\/acme\/openapi.yaml is a symbolic link; nothing was written$/m,
  );
  assert.equal(place.read('outside/precious.txt'), 'as it was');
  rmSync(join(place.base, 'specs/providers/acme'), { recursive: true });
  symlinkSync(join(place.base, 'outside'), join(place.base, 'specs/providers/acme'));
  assert.equal((await add()).code, exitCodes.errors);
  assert.deepEqual(readdirSync(join(place.base, 'outside')), ['precious.txt']);
});

test('a draft that cannot be written says why', async (t) => {
  const place = createWorkplace(t);
  place.write('things.json', described({}));
  mkdirSync(join(place.base, 'specs/providers/acme/UPSTREAM.json'), { recursive: true });
  const { code, err } = await place.run('add', 'acme', '--openapi', 'things.json');
  assert.equal(code, exitCodes.errors);
  assert.match(err, /^specs\/providers\/acme\/UPSTREAM.json cannot be written: .+ \(E[A-Z]+\)$/m);
});
