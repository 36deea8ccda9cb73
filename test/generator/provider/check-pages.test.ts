import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from './workplace.ts';

const file = 'specs/providers/acme/curation.yaml';
const text = { type: 'string' };
const things = { type: 'object', properties: { id: text } };
const answer = {
  type: 'object',
  properties: { items: { type: 'array', items: things }, next_url: text },
};
const responses = {
  200: { description: 'Things', content: { 'application/json': { schema: answer } } },
};
const described = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: 'https://api.acme.example' }],
  paths: { '/things': { get: { operationId: 'listThings', summary: 'List things', responses } } },
});

test('a list that its description pages and its curation does not is told', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.json', described);
  await place.run('add', 'acme', '--openapi', 'acme.json');
  const drafted = place.read(file);
  assert.doesNotMatch((await place.run('check')).err, /P028/);
  // Without its own entry, the usual one pages nothing that has no parameter of it.
  const shared = drafted.replace(/\n {4}pagination: .*/, '');
  assert.notEqual(shared, drafted);
  place.write(file, shared);
  assert.match(
    (await place.run('check')).err,
    /warning P028 acme_list_things gives the first page of a list: its description pages it \(next_url\)/,
  );
});
