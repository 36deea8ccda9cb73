import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { toolNames } from '../../../../generator/provider/operations/operation-names.ts';
import { documentOf } from './described.ts';

const id = 'harbour_berths_data_api';

function namesOf(...routes: readonly (readonly [method: string, path: string, id?: string])[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [method, path, operationId] of routes) {
    paths[path] = { ...paths[path], [method]: { operationId, responses: {} } };
  }
  const names = toolNames(id, new ApiOperations(documentOf({ paths })).all);
  for (const name of names) assert.ok(name.length <= 48, name);
  return names.map((name) => name.slice(id.length + 1));
}

test('a provider of a long name leaves the things in the names of its tools', () => {
  const names = namesOf(
    ['get', '/moorings/{m}/shareholders'],
    ['get', '/moorings/{m}/certificates/{c}'],
    ['post', '/night_watch_memberships'],
    ['get', '/committees/memberships/all', 'committeeMembershipsAll'],
  );
  assert.deepEqual(names, [
    'shareholders_list',
    'certificates_get',
    'memberships_create',
    'memberships_all',
  ]);
});

test('names that would be alike keep what tells them apart, in shorter words', () => {
  const names = namesOf(
    ['get', '/moorings/{m}/decisions/{d}/attachments'],
    ['get', '/moorings/{m}/inspections/{d}/attachments'],
    ['post', '/webhooks/north_harbour_notification'],
    ['post', '/webhooks/south_harbour_notification'],
  );
  for (const name of names) assert.doesNotMatch(name, /\d/);
  assert.match(names.join(' '), /decis\w*_attac\w*_list \w*inspe\w*_attac\w*_list/);
});

test('a number comes where no word is left that tells operations apart', () => {
  const names = namesOf(['put', '/moorings/shareholders'], ['put', '/moorings/shareholders/']);
  assert.match(names[1] ?? '', /share\w*_replace2$/);
});

test('a partial update keeps what it is of', () => {
  const names = namesOf(['patch', '/types/{t}', 'mooringinspectiontypes_partial_update']);
  assert.deepEqual(names, ['mooring_partial_update']);
});

test('what is asked by GET and by POST at one place is told apart by that', () => {
  const document = documentOf({
    paths: { '/v1/search': { get: { responses: {} }, post: { responses: {} } } },
  });
  const { all } = new ApiOperations(document);
  const names = toolNames('acme', all, { reads: () => true });
  assert.deepEqual(names, ['acme_search', 'acme_search_by_post']);
});
