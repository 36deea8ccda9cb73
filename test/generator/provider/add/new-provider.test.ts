import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { generate } from '../../../../generator/pipeline/pipeline.ts';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

test('a description that nobody has seen becomes a provider that generates', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /3 of 7 operations are switched on/);
  assert.match(
    out,
    /^ {2}5\. SERVICE_PROVIDER=acme npx agent-tool-server call acme_\w+ '\{.*\}'$/m,
  );
  assert.match(out, /^ {2}6\. SERVICE_PROVIDER=acme npm start$/m);
  assert.match(out, /^swagger-parser accepts the description too\.$/m);
  t.assert.fileSnapshot(
    place.read(`${folder}/curation.yaml`),
    join(import.meta.dirname, 'acme.curation.yaml'),
    { serializers: [String] },
  );
  const { diagnostics, written } = await generate({ base: place.base });
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.ok(written?.written.includes('generated/providers/acme/teams.ts'));
});

test('the description is cut to the operations that are switched on and what they need', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const sliced = parse(place.read(`${folder}/openapi.yaml`));
  assert.equal(sliced.openapi, '3.1.0');
  assert.deepEqual(Object.keys(sliced.paths), ['/teams', '/teams/{team_id}']);
  assert.deepEqual(Object.keys(sliced.paths['/teams']), ['get', 'post']);
  assert.deepEqual(Object.keys(sliced.components.schemas), ['Team']);
  const names = sliced.paths['/teams'].get.parameters.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['page', 'per_page'], 'the credential is no parameter');
});

test('every switched-on tool has a fixture, without credentials and cut to a readable size', async (t) => {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.deepEqual(readdirSync(join(place.base, folder, 'fixtures')), [
    'acme_teams_create.json',
    'acme_teams_get.json',
    'acme_teams_list.json',
  ]);
  const fixture = JSON.parse(place.read(`${folder}/fixtures/acme_teams_get.json`));
  assert.equal(fixture.source, 'documented');
  assert.match(fixture.request.url, /^https:\/\/api\.acme\.example\/v2\/teams\/[^/]+$/);
  assert.equal(fixture.response.body.secret, 'redacted');
  assert.equal(fixture.response.body.members.length, 2);
  const upstream = JSON.parse(place.read(`${folder}/UPSTREAM.json`));
  assert.match(upstream.sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    [upstream.file, upstream.version, upstream.licence, upstream.operations_total],
    ['acme.yaml', '4', 'MIT', 7],
  );
});

test('texts of a description are kept unless its licence may forbid it, or somebody says so', async (t) => {
  const place = createWorkplace(t);
  place.write('own.yaml', acme.replace(', license: { name: MIT License }', ''));
  const own = await place.run('add', 'own', '--openapi', 'own.yaml');
  assert.match(own.out, /names no licence; its texts were kept/);
  assert.match(place.read('specs/providers/own/openapi.yaml'), /There is more to say/);
  place.write('empty.yaml', acme.replace('{ name: MIT License }', "{ name: '' }"));
  const empty = await place.run('add', 'empty', '--openapi', 'empty.yaml');
  assert.match(empty.out, /names no licence; its texts were kept/);
  await place.run('add', 'own', '--openapi', 'own.yaml', '--texts', 'drop');
  assert.doesNotMatch(place.read('specs/providers/own/openapi.yaml'), /There is more to say/);
  const odd = await place.run('add', 'own', '--openapi', 'own.yaml', '--texts', 'some');
  assert.match(odd.err, /^--texts is keep or drop, not "some"/);
  place.write('acme.yaml', acme.replace('MIT License', 'Proprietary'));
  const { out } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
  assert.match(out, /The texts of the description were left out/);
  assert.doesNotMatch(place.read(`${folder}/openapi.yaml`), /There is more to say|All of them/);
  await place.run('add', 'acme_two', '--openapi', 'acme.yaml', '--licence', 'MIT');
  assert.match(place.read('specs/providers/acme_two/openapi.yaml'), /There is more to say/);
});
