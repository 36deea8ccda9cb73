import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { stopReason } from '../../../../generator/provider/operations/held-back.ts';
import { detailsOf } from '../../../../generator/provider/operations/operation-details.ts';
import { toolNames } from '../../../../generator/provider/operations/operation-names.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import {
  framedOnes,
  purposeOf,
} from '../../../../generator/provider/operations/texts/operation-purpose.ts';
import { documentOf, natureIn } from './described.ts';

const made = (operationId?: string, schema: object = { type: 'object' }) => ({
  ...(operationId !== undefined && { operationId }),
  responses: { 200: { description: '', content: { 'application/json': { schema } } } },
});

function told(paths: object): readonly (readonly [string, string])[] {
  const document = documentOf({ paths });
  const operations = new ApiOperations(document).all;
  const names = toolNames('acme', operations);
  const framed = framedOnes(operations);
  return operations.map((operation, index) => [
    names[index] ?? '',
    purposeOf(operation, () => detailsOf(document, natureOf(document, operation)), {
      isFramed: framed.has(operation),
    }),
  ]);
}

test('the classes of controllers are no part of a name', () => {
  assert.deepEqual(
    told({
      '/polls': {
        get: made('PollController_findAll'),
        post: made('CreatePollRequestController_handle'),
      },
      '/polls/{id}': { get: made('PollController_findOne') },
      '/votes': { get: made('GetVotesController_findAll') },
      '/games': { post: made('AcmeGamesWeb.Api.Public.GameController.create') },
    }),
    [
      ['acme_poll_find_all', 'List poll (GET /polls)'],
      ['acme_create_poll_request', 'Create poll request'],
      ['acme_poll_find_one', 'Read one poll'],
      ['acme_get_votes', 'Get votes (GET /votes)'],
      ['acme_game_create', 'Create game'],
    ],
  );
});

test('the interface of TypeSpec and the module of a function are no part of a name', () => {
  assert.deepEqual(
    told({
      '/chat/messages': { get: made('ChatMessageOperations_listChatMessages') },
      '/users': { get: made('UserOperations_list') },
      '/agents': { post: made('api.controllers.agent_controller.add_agent') },
      '/agents/{id}/stats': { get: made('agents.statistics.read_all') },
    }).map(([name]) => name),
    [
      'acme_list_chat_messages',
      'acme_user_list',
      'acme_add_agent',
      'acme_agents_statistics_read_all',
    ],
  );
});

test('the namespace of a class of PHP is no part of a name', () => {
  const id = String.raw`App\Http\Controllers\Api\DoorController::doorByColour`;
  assert.deepEqual(told({ '/doors/{colour}': { get: made(id) } }), [
    ['acme_door_by_colour', 'Door by colour'],
  ]);
});

test('the method with its service behind it, as Goa writes it, is no text where there is another', () => {
  const paths = {
    '/doors': {
      get: {
        ...made('doors#list doors'),
        summary: 'list doors doors',
        description: 'Lists all doors.',
      },
    },
    '/beds': { get: { ...made('beds#list'), summary: 'list beds' } },
  };
  assert.deepEqual(told(paths), [
    ['acme_list_doors', 'Lists all doors'],
    ['acme_beds_list', 'list beds (GET /beds)'],
  ]);
});

test('the word that Rails has for what is done is no text where several have it', () => {
  const said = (summary: string) => ({ ...made(), summary });
  const paths = {
    '/doors': { get: said('index'), post: said('Paint') },
    '/beds': { get: said('index') },
    '/api/{version}/camps': { get: said('index') },
  };
  assert.deepEqual(
    told(paths).map(([, purpose]) => purpose),
    [
      'Read doors (GET /doors)',
      'Paint (POST /doors)',
      'Read beds (GET /beds)',
      'Read camps (GET /api/{version}/camps)',
    ],
  );
});

test('the service of a method is no part of a name, nor the method of its text', () => {
  const paths = {
    '/beds': { get: { ...made('BedService_ListBeds'), description: 'ListBeds lists all beds.' } },
    '/beds/{id}:wake': {
      post: { ...made('BedService_Wake'), description: 'Wake wakes whoever sleeps there.' },
    },
    '/plots': {
      get: { ...made('ListPlots'), description: 'ListPlots is a visibility API to list plots.' },
    },
    '/sheds': { get: { ...made('ListSheds'), description: 'ListSheds is slow, so ask seldom.' } },
    '/camps': { get: { ...made('CampService_ListCamps'), summary: 'Camps lists nothing' } },
    '/doors': {
      get: {
        ...made('DoorService_ListDoors'),
        description: 'acme: doors list ListDoors lists doors.',
      },
    },
    '/tents/{id}': {
      get: { ...made('TentService_GetTent'), description: 'GetTent get the tent of an id.' },
    },
    '/tents': {
      get: { ...made('TentService_ListTents'), description: 'ListTents can be slow.' },
    },
  };
  assert.deepEqual(told(paths), [
    ['acme_list_beds', 'Lists all beds'],
    ['acme_bed_wake', 'Wakes whoever sleeps there'],
    ['acme_list_plots', 'List plots'],
    ['acme_list_sheds', 'ListSheds is slow, so ask seldom'],
    ['acme_list_camps', 'Camps lists nothing'],
    ['acme_list_doors', 'Lists doors'],
    ['acme_get_tent', 'Get the tent of an id'],
    ['acme_list_tents', 'ListTents can be slow'],
  ]);
});

test('a path that stands in a name as RAML writes it, with its method, is none', () => {
  const paths = {
    '/{shelfKey}/books': { get: made('ByShelfKeyBooksGet'), post: made('ByShelfKeyBooksPost') },
    '/{shelfKey}/books/key={key}': { get: made('ByShelfKeyBooksKeyByKeyGet') },
    '/byways': { get: made('BywaysGet') },
  };
  assert.deepEqual(
    told(paths).map(([, purpose]) => purpose),
    [
      'Read books (GET /{shelfKey}/books)',
      'Send books (POST /{shelfKey}/books)',
      'Read books (GET /{shelfKey}/books/key={key})',
      'Read byways',
    ],
  );
});

test('what a name says twice in a row is said once, unless nothing else is left', () => {
  const names = told({
    '/notes': { post: made('note_send_note_send') },
    '/notes/{id}': { get: made('note_fetch_fetch') },
    '/folders': { get: made('folders_folders') },
    '/folders/{id}': { get: made('folder_note_folder') },
  }).map(([name]) => name);
  assert.deepEqual(names, [
    ...['acme_note_send', 'acme_note_fetch', 'acme_folders_folders', 'acme_folder_note_folder'],
  ]);
});

test('the part that nearly all paths begin with names nothing', () => {
  const things = ['beds', 'camps', 'doors', 'games', 'polls', 'roles', 'teams'];
  const below = Object.fromEntries(things.map((thing) => [`/acme/${thing}`, { get: made() }]));
  const names = (paths: object) => told(paths).map(([name]) => name);
  assert.equal(
    names({ ...below, '/acme/api/v1/votes': { post: made() } }).at(-1),
    'acme_votes_create',
  );
  const root = { ...below, '/acme/votes': { get: made() }, '/acme/walls': { get: made() } };
  assert.equal(
    names({ ...root, '/acme/yards': { get: made() }, '/up': { get: made() } })[0],
    'acme_beds_list',
  );
  assert.equal(names({ '/club/beds': { get: made() } })[0], 'acme_club_beds_list');
});

test('the method behind the name of a function is no part of a name', () => {
  assert.deepEqual(
    told({
      '/plans': { get: made('getPlansUsingGET'), post: made('addPlanUsingPOST_1') },
      '/housing': { get: made('housingUsingGet') },
    }).map(([name]) => name),
    ['acme_get_plans', 'acme_add_plan', 'acme_housing_list'],
  );
});

test('a path is no summary, and its method no part of a name where it says what is done', () => {
  const summed = (summary: string, operationId: string) => ({ ...made(operationId), summary });
  assert.deepEqual(
    told({
      '/door_codes/create': {
        post: summed('/door_codes/create', 'doorCodesCreatePost'),
      },
      '/door_codes/list': { post: summed('POST /door_codes/list', 'doorCodesListPost') },
    }),
    [
      ['acme_door_codes_create', 'Create door codes'],
      ['acme_door_codes_list', 'List door codes'],
    ],
  );
});

test('a verb that a framework puts behind a noun comes first where it is told', () => {
  assert.deepEqual(
    told({
      '/rules/': { get: made('rules_list'), post: made('rules_create') },
      '/rules/{id}/': {
        get: made('rules_retrieve'),
        patch: made('rules_partial_update'),
        delete: made('rules_destroy'),
      },
      '/rules/{id}/refuse/': { post: made('rules_refuse_create') },
      '/rules/runs/': { get: made('rules_run_list') },
    }).map(([, purpose]) => purpose.replace(/ \(.*/, '')),
    [
      'List rules',
      'Create rules',
      'Read one rule',
      'Change one rule',
      'Delete one rule',
      'Refuse rules',
      'List rules run',
    ],
  );
});

test('an id that is the whole path with its method names nothing that the path does not', () => {
  assert.deepEqual(
    told({
      '/camps': { get: made('api_camps_get_collection'), post: made('api_camps_post') },
      '/camps/{id}': { get: made('api_camps_id_get'), put: made('put/camps/{id}') },
      '/tenants': { post: made('create_1') },
    }).map(([name]) => name),
    [
      ...['acme_camps_list', 'acme_camps_create', 'acme_camps_get', 'acme_camps_replace'],
      'acme_tenants_create',
    ],
  );
});

test('a path that says what is done gets no second verb, and where things are kept they are made', () => {
  const list = { type: 'array', items: { type: 'object', properties: { id: {} } } };
  const one = { type: 'object', properties: { id: {} } };
  assert.deepEqual(
    told({
      '/api/v1/role/': { post: made(undefined, one) },
      '/api/v1/role/list': { get: made(undefined, list) },
      '/api/v1/role/{id}': { get: made(undefined, one) },
      '/api/v1/chat/cancel/{id}': { post: made() },
      '/api/v1/series/lookup': { get: made(undefined, list) },
      '/api/v1/history/series': { get: made(undefined, list) },
      '/api/v1/profiles/get_latest': { get: made() },
      '/translate': { post: made() },
      '/answer': { post: made(), put: made(), delete: made() },
    }),
    [
      ['acme_role_create', 'Create role (POST /api/v1/role/): gives id'],
      ['acme_role_list', 'List role (GET /api/v1/role/list): gives id'],
      ['acme_role_get', 'Read role by id (GET /api/v1/role/{id}): gives id'],
      ['acme_chat_cancel', 'Send cancel by id (POST /api/v1/chat/cancel/{id})'],
      ['acme_series_lookup', 'Lookup series (GET /api/v1/series/lookup): gives id'],
      ['acme_history_series_list', 'List history series (GET /api/v1/history/series): gives id'],
      ['acme_profiles_get_latest', 'Get latest of profiles (GET /api/v1/profiles/get_latest)'],
      ['acme_translate', 'Send translate (POST /translate)'],
      ['acme_answer_create', 'Send answer (POST /answer)'],
      ['acme_answer_replace', 'Replace answer (PUT /answer)'],
      ['acme_answer_delete', 'Delete answer (DELETE /answer)'],
    ],
  );
});

test('what is said of several operations comes behind the name of each, and what it wraps is unwrapped', () => {
  const list = { type: 'array', items: { type: 'object', properties: { id: {}, name: {} } } };
  const paged = { type: 'object', properties: { count: { type: 'integer' }, results: list } };
  const one = { type: 'object', properties: { attributes: { properties: { size: {} } }, id: {} } };
  const described = { description: 'Endpoint for builds.' };
  const [get, post] = [made('build_list', paged), made('build_create')];
  const paths = {
    '/build/': { get: { ...get, ...described }, post: { ...post, ...described } },
    '/parts/': { get: made('part_list', paged) },
    '/things/{id}': { get: made('thing_retrieve', { type: 'object', properties: { data: one } }) },
    '/review': {
      get: { ...made('review_review_get'), summary: 'Review', description: 'Access: Any user.' },
    },
  };
  const document = documentOf({ paths });
  const purposes = new ApiOperations(document).all.map((operation, index) =>
    purposeOf(operation, () => detailsOf(document, natureOf(document, operation)), {
      isShared: index < 2,
    }),
  );
  assert.deepEqual(purposes, [
    'List build (Endpoint for builds)',
    'Create build (Endpoint for builds)',
    'List part (GET /parts/): gives id, name',
    'Read one thing: gives id, size',
    'Read review (GET /review)',
  ]);
});

test('where an API stands and how it is asked is no part of a name', () => {
  assert.deepEqual(
    told({
      '/api/v1/tasks': { post: made('ApiEndpointsTasksCreate') },
      '/api/v1/tasks/{id}': { get: made('ApiEndpointsTasksGetById') },
      '/api/v1/users/{id}': { get: made('getApiV1UsersId') },
      '/api/money/': { get: made('api_money_list') },
      '/api/rooms/{room}/messages': { get: made('GET_/api/rooms/:room/messages') },
    }),
    [
      ['acme_tasks_create', 'Create tasks'],
      ['acme_tasks_get_by_id', 'Get tasks by id'],
      ['acme_users_get', 'Read users by id (GET /api/v1/users/{id})'],
      ['acme_money_list', 'List money'],
      ['acme_rooms_messages_list', 'Read messages of one room (GET /api/rooms/{room}/messages)'],
    ],
  );
});

test('where two would have one name, more of their paths tells them apart', () => {
  assert.deepEqual(
    told({
      '/domain/permissions/users/{id}': { get: made() },
      '/source/permissions/users/{id}': { get: made() },
    }).map(([name]) => name),
    ['acme_domain_permissions_users_get', 'acme_source_permissions_users_get'],
  );
});

test('a purpose names no argument that callers do not have', () => {
  const text = { type: 'string', default: '2024-05-01' };
  const parameters = [
    { name: 'api-version', in: 'query', required: true, schema: text },
    { name: 'PageNumber', in: 'query', schema: { type: 'integer' } },
    { name: 'PageSize', in: 'query', schema: { type: 'integer' } },
    { name: 'colour', in: 'query', schema: { type: 'string' } },
  ];
  const page = { type: 'object', properties: { hasNextPage: { type: 'boolean' } } };
  const [[, purpose] = []] = told({ '/things': { get: { ...made(undefined, page), parameters } } });
  assert.match(String(purpose), /: takes colour;/);
});

test('what is done with one thing behind its id is a part of the path like any other', () => {
  const paths = {
    '/doors/{id}': { get: made() },
    '/doors/{id}:paint': { post: made() },
    '/doors/{id}:execute-deletion': { post: made() },
  };
  assert.deepEqual(
    told(paths).map(([name]) => name),
    ['acme_doors_get', 'acme_doors_paint', 'acme_doors_execute_deletion'],
  );
  const natures = (path: string) => natureIn(path, made(), 'post').nature;
  assert.ok(natures('/doors/{id}:execute-deletion').destroys);
  assert.ok(natures('/disks/{id}:format').destroys);
  assert.ok(natures('/doors/{id}:approve').overwrites);
  assert.equal(
    stopReason({ path: '/doors/{id}:reset' }),
    stopReason({ path: '/doors/{id}/reset' }),
  );
});

test('a method before things that have the names of verbs is what is done', () => {
  assert.deepEqual(
    told({
      '/walls/{wall}/lists/{list}/cards': { post: made('post_wall_list_cards') },
      '/walls/{wall}/lists/{list}/cards/{card}': { put: made('put_wall_list_card') },
      '/validate/card': { post: made('PostCardValidateRequest') },
    }).map(([, purpose]) => purpose.replace(/ \(.*/, '')),
    ['Post wall list cards', 'Update wall list card', 'Validate card request'],
  );
});

test('one of several is called as it is written', () => {
  const purposeFor = (path: string, id: string) => told({ [path]: { get: made(id) } })[0]?.[1];
  assert.equal(purposeFor('/movies/{id}', 'movies_read'), 'Read one movie');
  assert.equal(purposeFor('/series/{id}', 'series_read'), 'Read one series');
  assert.equal(purposeFor('/stories/{id}', 'stories_read'), 'Read one story');
});
