import assert from 'node:assert/strict';
import test from 'node:test';
import { readFiles } from '../read/read-files.ts';
import { responses } from '../read/repaired.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

// Of everything there may be thousands in one description. What is told of it stays short.

const many = 2_000;
const numbers = Array.from({ length: many }, (_, index) => index);

async function added(place: Workplace, description: object) {
  const info = { title: 'Things', version: '1', license: { name: 'MIT' } };
  const servers = [{ url: 'https://api.things.example' }];
  const whole = { openapi: '3.1.0', info, servers, ...description };
  place.write('things.json', JSON.stringify(whole));
  return await place.run('add', 'acme', '--openapi', 'things.json');
}

test('a long list of values that are objects costs no more than their words', async (t) => {
  const place = createWorkplace(t);
  const values = numbers.map((key) => ({ key, text: 'of some length'.repeat(3) }));
  const schema = { type: 'object', required: ['a'], properties: { a: { enum: values } } };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const paths = { '/a': { post: { operationId: 'create_a', requestBody, responses } } };
  const { code, out, err } = await added(place, { paths });
  assert.equal(code, 0, err);
  assert.match(out, /1 of 1 operations/);
  assert.match(err, /SPEC021 the schema of acme_create_a .* 1 of its lists of values is left out/);
});

test('of the paths that one may be mistaken for, a few are told', async (t) => {
  const paths = Object.fromEntries(
    numbers
      .slice(0, 50)
      .flatMap((each) => [`/a${each}/{id}`, `/{x}/b${each}`])
      .map((path) => [path, { get: { responses } }]),
  );
  const info = { title: 'A', version: '1' };
  const { diagnostics } = await readFiles(t, {
    'api.json': JSON.stringify({ openapi: '3.0.3', info, paths }),
  });
  const rivals = diagnostics.filter(({ code }) => code === 'SPEC016');
  const told = new Set(rivals.map(({ message }) => message.split(' ')[0]));
  assert.equal(told.size, 99, 'all but the first are told');
  assert.ok(rivals.length < 300, `${rivals.length}`);
});

test('thousands of credentials together are told in few words', async (t) => {
  const place = createWorkplace(t);
  const securitySchemes = Object.fromEntries(
    numbers.map((each) => [`s${each}`, { type: 'apiKey', in: 'header', name: `X-Key-${each}` }]),
  );
  const security = [Object.fromEntries(numbers.map((each) => [`s${each}`, []]))];
  const paths = {
    '/a': { get: { operationId: 'list_a', responses } },
    '/b': { get: { operationId: 'list_b', responses, security } },
  };
  const described = { components: { securitySchemes }, security: [{ s0: [] }], paths };
  const { code, out, err } = await added(place, described);
  assert.equal(code, 0, err);
  assert.match(out, /and 1989 more to what belongs to it/);
  assert.ok(out.length + err.length < 5_000, `${out.length + err.length} characters`);
});

for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
  test(`a body of ${many} schemas in ${keyword} costs no operation`, async (t) => {
    const place = createWorkplace(t);
    const schema = {
      type: 'object',
      [keyword]: numbers.map((each) => ({ required: [`p${each}`] })),
    };
    const components = { schemas: { Vast: schema } };
    const members = { vast: { $ref: '#/components/schemas/Vast' } };
    const body = { type: 'object', properties: members, required: ['vast'] };
    const requestBody = { required: true, content: { 'application/json': { schema: body } } };
    const paths = {
      '/a': { post: { operationId: 'create_a', requestBody, responses } },
      '/b': { get: { operationId: 'list_b', responses } },
    };
    const { code, out, err } = await added(place, { components, paths });
    assert.equal(code, 0, err);
    assert.match(out, /2 of 2 operations/);
  });
}

test('alternatives within alternatives, too deep to be checked, cost their operation', async (t) => {
  const place = createWorkplace(t);
  const others = numbers.slice(0, 90).map((name) => ({ required: [`p${name}`] }));
  const Vast = numbers
    .slice(0, 12)
    .reduce((inner: object) => ({ anyOf: [...others, inner] }), { type: 'object' });
  const members = { vast: { $ref: '#/components/schemas/Vast' } };
  const body = { type: 'object', properties: members, required: ['vast'] };
  const requestBody = { required: true, content: { 'application/json': { schema: body } } };
  const paths = {
    '/a': { post: { operationId: 'create_a', requestBody, responses } },
    '/b': { get: { operationId: 'list_b', responses } },
  };
  const { code, out, err } = await added(place, { components: { schemas: { Vast } }, paths });
  assert.equal(code, 0, err);
  assert.match(out, /1 of 2 operations/);
  const curation = place.read('specs/providers/acme/curation.yaml');
  assert.match(curation, /# - name: acme_create_a .*levels deep/);
});
