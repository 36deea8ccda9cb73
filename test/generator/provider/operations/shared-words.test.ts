import assert from 'node:assert/strict';
import test from 'node:test';
import {
  draftCuration,
  surveyOperations,
} from '../../../../generator/provider/draft/draft-curation.ts';
import { answer, documentOf } from '../guess/described.ts';

const thing = { type: 'object', properties: { id: { type: 'string' } } };

/** Method, path, what else is said of it. */
type Said = readonly [method: string, path: string, more: object];

/** Of each operation: its name, what it is for, and `R`, `D` or `W` for what its marks say. */
function drafted(all: readonly Said[]): readonly (readonly [string, string, string])[] {
  const paths: Record<string, object> = {};
  for (const [method, path, more] of all) {
    paths[path] = { ...paths[path], [method]: { responses: answer(thing), ...more } };
  }
  const document = documentOf({ paths });
  const source = { id: 'acme', document, origin: undefined, licence: undefined, texts: true };
  const { operations } = draftCuration(source, surveyOperations(source), new Set());
  return operations.map(({ operation: { name, purpose, annotations = {} } }) => [
    name,
    purpose,
    annotations.readOnly ? 'R' : changeMark(annotations.destructive),
  ]);
}

function changeMark(isDestructive: boolean | undefined): string {
  return isDestructive ? 'D' : 'W';
}

test('the vendor before what all texts say is not what is done, and no part of it', () => {
  const said = (summary: string, at: number): Said => [
    ...(['post', `/x/${at}`, { operationId: `x${at}Request`, summary: `X ${summary}` }] as const),
  ];
  const acts = ['Set a level', 'List all beds', 'Wake the bed', 'Drain a bed', 'Add a bed'];
  assert.deepEqual(
    drafted(acts.map(said)).map(([, purpose, mark]) => `${mark} ${purpose.replace(/ \(.*/, '')}`),
    ['D Set a level', 'R List all beds', 'W Wake the bed', 'D Drain a bed', 'W Add a bed'],
  );
});

test('a word that most texts begin with is the vendor only where the title has it, and it is no verb', () => {
  for (const [title, word] of [
    ['X', 'Beds'],
    ['List of beds', 'List'],
    ['Add beds', 'Add'],
  ]) {
    const paths = Object.fromEntries(
      ['set', 'list', 'wake', 'drain', 'add'].map((what) => [
        `/${what}`,
        {
          get: { operationId: what, summary: `${word} ${what} all beds`, responses: answer(thing) },
        },
      ]),
    );
    const document = documentOf({ info: { title, version: '1' }, paths });
    const source = { id: 'acme', document, origin: undefined, licence: undefined, texts: true };
    const { operations } = draftCuration(source, surveyOperations(source), new Set());
    for (const { operation } of operations)
      assert.match(operation.purpose, new RegExp(`^${word} `));
  }
});

test('what all acts share is not their verb, and no part of their names', () => {
  const act = (name: string): Said => [
    'post',
    `/tools/${name}/execute`,
    { operationId: `execute_${name}` },
  ];
  const names = ['list_beds', 'get_bed', 'add_bed', 'remove_bed', 'get_soil_report'];
  assert.deepEqual(
    drafted(names.map(act)).map(([name, , mark]) => [name, mark]),
    [
      ['acme_list_beds', 'R'],
      ['acme_get_bed', 'R'],
      ['acme_add_bed', 'W'],
      ['acme_remove_bed', 'D'],
      ['acme_get_soil_report', 'R'],
    ],
  );
});

test('one thing that is executed among others is executed', () => {
  const [, [name, , mark] = []] = drafted([
    ['get', '/plans', { operationId: 'listPlans' }],
    ['post', '/plans/{id}/execute', { operationId: 'executePlan' }],
    ['get', '/plans/{id}', { operationId: 'getPlan' }],
  ]);
  assert.deepEqual([name, mark], ['acme_execute_plan', 'W']);
});

test('a word that ends the names of most says nothing', () => {
  const names = [
    'beds_request',
    'soil_types_request',
    'seeds_request',
    'tools_request',
    'rows_request',
  ];
  const all = names.map((operationId, at): Said => ['get', `/p${at}/q${at}`, { operationId }]);
  const made = drafted([...all, ['post', '/orders/bulk', { operationId: 'withdraw_request' }]]);
  assert.equal(made[1]?.[0], 'acme_soil_types');
  const versions = ['listBedsV1', 'getSoilTypeV1', 'listSeedsV1', 'listToolsV1', 'listRowsV1'];
  const counted = versions.map((operationId, at): Said => ['get', `/v1/p${at}`, { operationId }]);
  const newer: Said = ['get', '/v2/p0', { operationId: 'listBedsV2' }];
  assert.deepEqual(
    drafted([...counted, newer]).map(([name]) => name),
    [
      'acme_list_beds',
      'acme_get_soil_type',
      'acme_list_seeds',
      'acme_list_tools',
      'acme_list_rows',
      'acme_list_beds_v2',
    ],
  );
});

for (const [method, path, operationId, purpose] of [
  ['post', '/debit-account', undefined, 'Debit account (POST /debit-account): gives id'],
  ['post', '/get-contact-info', undefined, 'Get contact info (POST /get-contact-info): gives id'],
  ['post', '/import-jobs', undefined, 'Create import jobs (POST /import-jobs): gives id'],
  ['get', '/fetch-open-beds', undefined, 'Fetch open beds (GET /fetch-open-beds): gives id'],
  ['get', '/beds', 'BedController_getBeds', 'Get beds (GET /beds): gives id'],
  [
    'get',
    '/plans/of/{owner}',
    'plans_getForOwner',
    'Get plans for owner (GET /plans/of/{owner}): gives id',
  ],
  [
    'get',
    '/fees/of/{bedId}',
    'fees_findAll',
    'List fees by bed id (GET /fees/of/{bedId}): gives id',
  ],
  ['post', '/notes/mark-all-read', 'notes_markAllRead', 'Notes mark all read: gives id'],
  ['post', '/notes/get', 'notes_get', 'Read notes (POST /notes/get): gives id'],
] as const) {
  test(`${method} ${path} ${operationId ?? ''} is to ${purpose}`, () => {
    assert.equal(drafted([[method, path, operationId ? { operationId } : {}]])[0]?.[1], purpose);
  });
}

for (const [what, all, names] of [
  [
    'what one is found by tells it from others at its place',
    [
      ['get', '/{site}/pages/{id}', {}],
      ['get', '/{site}/{place}/pages/{slug}', {}],
    ],
    ['acme_pages_get_by_id', 'acme_pages_get_by_slug'],
  ],
  [
    'a number behind the name of another operation gives way to the path',
    [
      ['get', '/beds/{id}', { operationId: 'BedService_GetBed' }],
      ['get', '/beds/by-owner/{owner}', { operationId: 'BedService_GetBed2' }],
      ['get', '/{mount}/soils', { operationId: 'list_soils' }],
      ['get', '/{mount}/sands', { operationId: 'list_soils2' }],
    ],
    ['acme_get_bed', 'acme_beds_by_owner_get', 'acme_list_soils', 'acme_sands_get'],
  ],
  [
    'a class that its function names is said once',
    [
      ['get', '/tag-names', { operationId: 'TagsController_tagNameList' }],
      ['post', '/tags', { operationId: 'TagsController_create' }],
    ],
    ['acme_tag_name_list', 'acme_tags_create'],
  ],
  [
    'that a function answers requests is no part of its name, unless it is about those who do',
    [
      ['get', '/beds', { operationId: 'list_beds_endpoint' }],
      ['get', '/endpoints/{id}', { operationId: 'get_one_endpoint' }],
    ],
    ['acme_list_beds', 'acme_get_one_endpoint'],
  ],
  [
    'verbs in the path are not said twice, and the form of an answer not at all',
    [
      ['get', '/garden/beds/get/{id}', {}],
      ['get', '/garden/soil/get', {}],
      ['get', '/lawn/rows.json', {}],
    ],
    ['acme_beds_get', 'acme_soil_get', 'acme_lawn_rows_get'],
  ],
  [
    'a form behind a dot is no thing, and an update by POST no creation',
    [
      ['get', '/garden/beds.{format}', { responses: answer({ type: 'array', items: thing }) }],
      ['get', '/garden/beds/{id}.{format}', {}],
      ['post', '/lawn/gates/{id}', { summary: 'Fully update a gate' }],
      ['patch', '/lawn/gates/{id}', { summary: 'Partially update a gate' }],
      ['post', '/lawn/rows/{id}', { summary: 'Update a row' }],
    ],
    [
      'acme_garden_beds_list',
      'acme_garden_beds_get',
      'acme_lawn_gates_replace',
      'acme_lawn_gates_update',
      'acme_lawn_rows_update',
    ],
  ],
] as const) {
  test(what, () => {
    assert.deepEqual(
      drafted(all).map(([name]) => name),
      names,
    );
  });
}

test('a summary that is made of the name of a function ends before "Endpoint"', () => {
  const summaries = ['List Open Beds Endpoint', 'Get Beds Of Endpoint', 'Create an endpoint'];
  const all = summaries.map((summary, at): Said => ['get', `/p${at}`, { summary }]);
  assert.deepEqual(
    drafted(all).map(([, purpose]) => purpose),
    ['List Open Beds', 'Get Beds Of Endpoint', 'Create an endpoint'],
  );
});

for (const [path, summary, mark] of [
  ['/gates/{id}', 'Fully update a gate', 'D'],
  ['/garden/freeze', 'Freeze', 'D'],
  ['/gates', 'Automatically add a gate', 'W'],
] as const) {
  test(`POST ${path} "${summary}" is marked ${mark}`, () => {
    const [[, , marked = ''] = []] = drafted([['post', path, { summary }]]);
    assert.equal(marked, mark);
  });
}
