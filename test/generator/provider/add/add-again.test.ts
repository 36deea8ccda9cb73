import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

test('adding again keeps the curation and the fixtures, and brings in what was switched on', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const edited = place
    .read(`${folder}/curation.yaml`)
    .replace(/^ {2}# (- name: acme_teams_delete\n(?: {2}# {3}.*\n)*)/m, (block) =>
      block.replaceAll('  # ', '  '),
    )
    .replace('title: Acme Public API', 'title: Acme');
  place.write(`${folder}/curation.yaml`, edited);
  place.write(`${folder}/fixtures/acme_teams_get.json`, '{"kept": true}');
  const { code, out } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.equal(code, 0);
  assert.match(out, /Extended the provider acme: 4 of 7/);
  assert.equal(place.read(`${folder}/curation.yaml`), edited);
  assert.equal(place.read(`${folder}/fixtures/acme_teams_get.json`), '{"kept": true}');
  assert.ok(existsSync(join(place.base, folder, 'fixtures/acme_teams_delete.json')));
  assert.ok(parse(place.read(`${folder}/openapi.yaml`)).paths['/teams/{team_id}'].delete);
});

test('a description without the operations of a curation takes the place of none', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  place.write('other.yaml', acme.replaceAll('operationId: ', 'operationId: other_'));
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const files = () =>
    ['openapi.yaml', 'UPSTREAM.json'].map((name) => place.read(`${folder}/${name}`));
  const before = files();
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'other.yaml');
  assert.deepEqual([code, out], [exitCodes.errors, '']);
  assert.match(err, /curation\.yaml:\d+:\d+ error P001 /);
  assert.match(
    err,
    /3 of the 3 operations in curation\.yaml are not in this description.*nothing was written/,
  );
  assert.deepEqual(files(), before);
});

test('a stable provider that has no fixtures yet gets them, and is sound then', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  assert.equal((await place.run('add', 'acme', '--openapi', 'acme.yaml')).code, 0);
  const curation = place.read(`${folder}/curation.yaml`);
  rmSync(join(place.base, folder), { recursive: true });
  place.write(`${folder}/curation.yaml`, curation.replace('status: beta', 'status: stable'));
  const again = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.equal(again.code, 0, again.err);
});

for (const [what, head] of [
  ['without a title and a version', 'openapi: 3.0.1\ninfo: {}'],
  ['without any info', 'openapi: 3.1.0'],
  ['whose title and version are numbers', 'openapi: 3.0.3\ninfo: { title: 5, version: 1.0 }'],
  ['whose version stands without quotes', "openapi: 3.1\ninfo: { title: A, version: '1' }"],
  ['whose version has two parts', "openapi: '3.0'\ninfo: { title: A, version: '1' }"],
] as const) {
  test(`a description ${what} drafts`, async (t) => {
    const place = createWorkplace(t);
    const rest = `servers: [{ url: https://things.example.com }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { description: Done } } }
`;
    // YAML under the name of JSON, as some generators write it.
    place.write('new.json', `${head}\n${rest}`);
    const { code, out } = await place.run('add', 'acme', '--openapi', 'new.json');
    assert.equal(code, 0, out);
    assert.match(out, /1 of 1 operations is switched on|1 of 1 operations are switched on/);
    assert.equal((await place.run('check', 'acme')).code, 0);
  });
}
