import assert from 'node:assert/strict';
import test from 'node:test';
import { apiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { toolNames } from '../../../../generator/provider/operations/operation-names.ts';
import { purposeOf } from '../../../../generator/provider/operations/texts/operation-purpose.ts';
import { waysApart } from '../../../../generator/provider/operations/told-apart.ts';
import { documentOf } from '../guess/described.ts';

/** Names of operations, each with its id, in their order. */
function namesOf(
  operations: readonly (readonly [route: string, id?: string])[],
  left: readonly string[] = [],
): readonly string[] {
  const paths: Record<string, Record<string, object>> = {};
  for (const [route, operationId] of operations) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method]: { operationId, responses: {} } };
  }
  const { all } = apiOperations(documentOf({ paths }));
  const isTwin = ({ path }: { path: string }) => left.includes(path);
  return toolNames('acme', all, { isTwin }).map((name) => name.slice('acme_'.length));
}

test('operations whose ids differ by a number are told apart by their paths and methods', () => {
  assert.deepEqual(
    namesOf([
      ['get /_count', 'count'],
      ['post /_count', 'count-1'],
      ['get /{shelf}/_count', 'count-2'],
      ['post /{shelf}/_count', 'count-3'],
      ['get /beds/{bed_id}/_seen', 'beds.seen.0'],
      ['get /beds/_seen', 'beds.seen.1'],
    ]),
    [
      'count',
      'count_by_post',
      'count_in_shelf',
      'count_in_shelf_by_post',
      'beds_seen_by_bed_id',
      'beds_seen',
    ],
  );
});

test('a number in brackets is no part of a name', () => {
  assert.deepEqual(
    namesOf([
      ['post /beds/{bed}/water', 'waterBed'],
      ['post /water', 'waterBed (2)'],
    ]),
    ['water_bed_beds', 'water_bed'],
  );
});

test('what the name says already is not said again, but for a key', () => {
  assert.deepEqual(
    namesOf([
      ['get /_bed', 'get_bed'],
      ['get /_bed/{bed}', 'get_bed_1'],
      ['get /_beds/{bed}', 'get_bed_2'],
    ]),
    ['get_bed', 'get_bed_by_bed', 'get_bed_beds'],
  );
});

test('names of one path differ by their version, or by a part that the others lack', () => {
  assert.deepEqual(
    namesOf([
      ['get /v1/beds/{id}'],
      ['get /v2/beds/{id}'],
      ['get /gardens/{id}/roles/{role}/slugs/lists/beds/'],
      ['get /gardeners/{id}/roles/{role}/slugs/lists/beds/'],
    ]),
    [
      'beds_get_by_id',
      'beds_get_by_id_v2',
      'roles_slugs_lists_beds_list',
      'roles_slugs_lists_beds_list_gardeners',
    ],
  );
});

test('what nothing tells apart has a number, and a name that says too much is cut at its words', () => {
  const long = '/gardeners/instruments/watering-machines';
  const names = namesOf([
    [`delete /v1${long}/{id}`],
    [`delete /v2${long}/{id}`],
    ['get /beds/'],
    ['get /beds'],
  ]);
  assert.deepEqual(names.slice(2), ['beds_list', 'beds_list2']);
  assert.match(names[1] ?? '', /_v2$/);
  assert.ok(names.every((name) => name.length <= 43));
});

test('an id that copies have in common names the one that stays', () => {
  const copies = [
    ['get /api/beds', 'ListAllBeds'],
    ['get /beds', 'ListAllBeds'],
    ['get /slugs', 'ReadThem'],
    ['get /snails', 'ReadThem'],
  ] as const;
  assert.deepEqual(namesOf(copies, ['/beds']), [
    'list_all_beds',
    'beds_list',
    'slugs_list',
    'snails_list',
  ]);
});

test('a group is not named where what is done is done with it', () => {
  assert.deepEqual(
    namesOf([
      ['get /beds.listBeds', 'beds.listBeds'],
      ['get /beds/slugs', 'beds_list_slugs'],
      ['get /garden-beds', 'GardenBedsController_listGardenBeds'],
      ['get /roles', 'RolesControllerV1_findAll'],
    ]),
    ['list_beds', 'beds_list_slugs', 'list_garden_beds', 'roles_find_all'],
  );
});

test('a purpose begins behind the name of its operation, though copies have that too', () => {
  const description = 'ListBeds returns all beds of a garden.';
  const get = { operationId: 'ListBeds', description, responses: {} };
  const document = documentOf({ paths: { '/beds': { get }, '/api/beds': { get } } });
  assert.deepEqual(
    apiOperations(document).all.map((operation) => purposeOf(operation)),
    ['Returns all beds of a garden', 'Returns all beds of a garden'],
  );
});

test('thousands of operations of one id take no longer than as many of others', {
  timeout: 60_000,
}, () => {
  const place = { node: {}, pointer: '' };
  const operations = Array.from({ length: 30_000 }, (_, bed) => {
    const path = `/beds/b${bed}/seen`;
    return { ...place, pathItem: place, id: `seen-${bed % 90}`, method: 'GET', path };
  });
  const words = waysApart(operations);
  assert.deepEqual([words.at(0), words.at(-1)], [['b0'], ['b29999']]);
});
