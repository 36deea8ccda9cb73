import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type ApiOperation,
  ApiOperations,
} from '../../../../generator/model/schema/api-operations.ts';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { answersOne } from '../../../../generator/provider/operations/answers-one.ts';
import { detailsOf } from '../../../../generator/provider/operations/operation-details.ts';
import {
  resourceOf,
  toolNames,
} from '../../../../generator/provider/operations/operation-names.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import {
  purposeOf,
  unlikePurposes,
} from '../../../../generator/provider/operations/texts/operation-purpose.ts';
import { documentOf } from './described.ts';

test('tool names come from ids that are names, else from the path; all are distinct and short', () => {
  const ok = { responses: {} };
  const document = documentOf({
    paths: {
      '/v1/users': { get: { operationId: 'users.list', ...ok }, post: ok },
      '/api/2/users/{id}': {
        get: { operationId: 'Read one user whom nobody but you has ever made', ...ok },
        delete: ok,
      },
      '/acme': { get: { operationId: 'ACME_GetThing', ...ok } },
      '/users': { post: ok },
      [`/${'a-quite-long-segment/'.repeat(4)}{id}`]: { get: ok },
    },
  });
  const operations = new ApiOperations(document).all;
  const names = toolNames('acme', operations);
  assert.deepEqual(names.slice(0, 6), [
    'acme_users_list',
    'acme_users_create_v1',
    'acme_users_get',
    'acme_users_delete',
    'acme_get_thing',
    'acme_users_create',
  ]);
  assert.match(names[6] ?? '', /^acme_quite_long_segment_quite_long_segment_get$/);
  assert.ok(names.every((name) => name.length <= 48 && /^[a-z][a-z0-9_]{2,47}$/.test(name)));
  assert.deepEqual(
    [...new Set(operations.map(resourceOf))],
    ['users', 'acme', 'a-quite-long-segment'],
  );
});

test('an operation without any text is told by its names, its arguments and its answer', () => {
  const thing = {
    type: 'object',
    required: ['id'],
    properties: { size: {}, id: {}, 'obey me': {}, owner: {} },
  };
  const ok = (schema: object) => ({
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  });
  const query = ['limit', 'pageable', 'api_key', 'state', 'colour'].map((name) => ({
    ...{ name, in: 'query', required: name === 'colour', schema: { type: 'string' } },
  }));
  const body = { content: { 'application/json': { schema: thing } } };
  const document = documentOf({
    components: {
      schemas: { Nested: { type: 'array', items: { $ref: '#/components/schemas/Nested' } } },
    },
    paths: {
      '/things': {
        get: { parameters: query, ...ok({ type: 'array', items: thing }) },
        post: { requestBody: body, responses: {} },
      },
      '/nested': { get: ok({ $ref: '#/components/schemas/Nested' }) },
      '/told': { get: { summary: 'Tell what is there', parameters: query, ...ok(thing) } },
      '/tabled': {
        get: {
          description: '### Changelog\n| Version | Text |\n| --- | --- |\nWhat is on tables.',
        },
      },
    },
  });
  const purposes = new ApiOperations(document).all.map((operation) =>
    purposeOf(operation, () => detailsOf(document, natureOf(document, operation))),
  );
  assert.deepEqual(purposes, [
    'List things (GET /things): takes colour, state; gives id, size, owner',
    'Send things (POST /things): takes id, size, owner',
    'List nested (GET /nested)',
    'Tell what is there',
    'What is on tables',
  ]);
});

test('of the names that frameworks make, the function alone is left', () => {
  const made = (operationId: string) => ({ operationId, responses: {} });
  const paths = {
    '/v1/embeddings': { post: made('embeddings_v1_embeddings_post') },
    '/v1/ocr': { post: made('ocr_v1_ocr_post') },
    '/v1/audio': { post: made('transcribe_v1_audio_post') },
    '/items/{item_id}': { get: made('read_item_items__item_id__get') },
    '/': { get: made('root__get') },
  };
  const operations = new ApiOperations(documentOf({ paths })).all;
  assert.deepEqual(toolNames('acme', operations), [
    'acme_embeddings_create',
    'acme_ocr',
    'acme_transcribe_audio',
    'acme_read_item',
    'acme_root_get',
  ]);
});

test('where neither an id nor a path names it, the verb of the summary is a plain one', () => {
  const names = ['Returns details about the server', 'Lists files', 'Status of things'].map(
    (summary) => {
      const paths = { '/': { get: { summary, responses: {} } } };
      return toolNames('acme', new ApiOperations(documentOf({ paths })).all)[0];
    },
  );
  assert.deepEqual(names, [
    'acme_get_details_about_server',
    'acme_list_files',
    'acme_status_things',
  ]);
});

test('an operationId that stands twice is none: method and path name what it was to name', () => {
  const twice = { operationId: 'get_e', responses: {} };
  const once = { operationId: 'get_f', responses: {} };
  const document = documentOf({
    paths: { '/e': { get: twice, post: twice }, '/f': { get: once } },
  });
  const api = new ApiOperations(document);
  const auth = { auth: { type: 'none' as const }, review: '' };
  const drafts = api.all.map((operation) =>
    draftOperation(document, natureOf(document, operation), {
      ...{ name: 'acme_x', usual: undefined, auth, texts: true },
    }),
  );
  assert.deepEqual(
    drafts.map(({ from, annotations }) => [from, annotations.readOnly]),
    [
      [{ method: 'GET', path: '/e' }, true],
      [{ method: 'POST', path: '/e' }, false],
      [{ operationId: 'get_f' }, true],
    ],
  );
  assert.deepEqual([...api.byId.keys()], ['get_f']);
});

test('names tell PATCH from PUT, and one object from a list', () => {
  const ok = { responses: {} };
  const operations = new ApiOperations(
    documentOf({ paths: { '/me': { get: ok, put: ok, patch: ok }, '/users': { get: ok } } }),
  ).all;
  const names = toolNames('acme', operations, { givesOne: ({ path }) => path === '/me' });
  const expected = ['acme_me_get', 'acme_me_replace', 'acme_me_update', 'acme_users_list'];
  assert.deepEqual(names, expected);
});

test('what a path says by itself needs no verb, and what there is one of is no list', () => {
  const answer = (schema: object, summary?: string) => ({
    get: {
      ...(summary !== undefined && { summary }),
      responses: { 200: { description: '', content: { 'application/json': { schema } } } },
    },
  });
  const parts = { type: 'object', properties: { parts: { type: 'array', items: {} } } };
  const list = { type: 'array', items: {} };
  const document = documentOf({
    paths: {
      '/orders/orders_list': answer(parts),
      '/orders/{id}/download': answer(parts),
      '/parcels/me': answer(parts),
      '/returns/me': answer(list),
      '/models/{id}/full': answer(parts, 'Get a model (complete)'),
      '/models/{id}/short': answer(parts, 'Get a list of models'),
      '/apps': answer({ type: 'object', properties: { data: {} } }),
      '/apps/{id}': answer({ type: 'object', properties: { data: {} } }),
      '/stats': answer({ type: 'object', properties: { data: {} } }),
      '/system/certificate': answer(parts),
    },
  });
  const one = (each: ApiOperation) => answersOne(document, natureOf(document, each));
  const names = toolNames('acme', new ApiOperations(document).all, { givesOne: one });
  assert.deepEqual(names, [
    ...['acme_orders_orders_list', 'acme_orders_download', 'acme_parcels_me_get'],
    ...['acme_returns_me_list', 'acme_models_full_get', 'acme_models_short_list'],
    ...['acme_apps_list', 'acme_apps_get', 'acme_stats_get', 'acme_system_certificate_get'],
  ]);
});

test('a verb that has grown together with its thing needs no other one', () => {
  const post = { post: { responses: {} } };
  const paths = ['/teams/{id}/deletetags', '/teams/{id}/addresses', '/teams/{id}/assignments'];
  const document = documentOf({ paths: Object.fromEntries(paths.map((path) => [path, post])) });
  assert.deepEqual(toolNames('acme', new ApiOperations(document).all), [
    ...['acme_teams_deletetags', 'acme_teams_addresses_create', 'acme_teams_assignments_create'],
  ]);
});

test('what is asked by POST has the verb of its path, or of its summary', () => {
  const post = (summary: string) => ({ post: { summary, responses: {} } });
  const paths = {
    '/flights/semantic_search': post('Search flights'),
    '/jobs/get': post('Get jobs'),
    '/menus/by_id': post('Retrieve menus'),
    '/couriers': post('List couriers'),
    '/offers': post('Find offers'),
  };
  const operations = new ApiOperations(documentOf({ paths })).all;
  assert.deepEqual(toolNames('acme', operations, { reads: () => true }), [
    ...['acme_flights_semantic_search', 'acme_jobs_get', 'acme_menus_by_id_get'],
    ...['acme_couriers_list', 'acme_offers_search'],
  ]);
});

test('a phrase in the place of a name is one, and what groups it stands behind its text', () => {
  const id = (operationId: string, description?: string) => ({
    ...{ operationId, responses: {} },
    ...(description !== undefined && { description }),
  });
  const paths = {
    '/payments/{id}/events': { get: id('Get events for a payment') },
    '/payments': { get: id('Search payments') },
    '/threads': { get: id('Pull Request Threads_List', 'Retrieve all threads of a request.') },
    '/likes': { post: id('Pull Request Likes_Create') },
    '/ips': { get: { operationId: 'listIPs', responses: {} } },
  };
  const operations = new ApiOperations(documentOf({ paths })).all;
  assert.deepEqual(toolNames('acme', operations), [
    'acme_get_events_for_a_payment',
    'acme_search_payments',
    'acme_pull_request_threads_list',
    'acme_pull_request_likes_create',
    'acme_list_ips',
  ]);
  assert.deepEqual(
    operations.slice(0, 4).map((operation) => purposeOf(operation)),
    [
      'Get events for a payment',
      'Search payments',
      'Retrieve all threads of a request',
      'Pull Request Likes Create',
    ],
  );
});

test('operations of one purpose are told apart by their requests', () => {
  const all = { summary: 'Returns all lobbyists', responses: {} };
  const paths = {
    '/lobbyists': { get: all },
    '/lobbyists/{id}': { get: all },
    '/states': { get: { summary: 'Returns all states', responses: {} } },
  };
  const told = new ApiOperations(documentOf({ paths })).all.map((operation) => {
    return { operation, purpose: purposeOf(operation) };
  });
  assert.deepEqual(unlikePurposes(told), [
    'Returns all lobbyists (GET /lobbyists)',
    'Returns all lobbyists (GET /lobbyists/{id})',
    'Returns all states',
  ]);
});

test('what only asks for headers makes room for what it has its name from', () => {
  const at = '/get/{channel_name}/{path}';
  const id = 'serve_path_get__channel_name___path__';
  const ok = { responses: {} };
  const document = documentOf({
    paths: {
      [at]: { get: { operationId: `${id}get`, ...ok }, head: { operationId: `${id}head`, ...ok } },
    },
  });
  assert.deepEqual(toolNames('acme', new ApiOperations(document).all), [
    'acme_serve_path',
    'acme_get_head',
  ]);
});

test('the name of a function in the place of a summary gives way to a sentence', () => {
  const get = (summary: string, description: string) => ({
    get: { summary, description, responses: {} },
  });
  const { all } = new ApiOperations(
    documentOf({
      paths: {
        '/price': get('getPrice (spot market)', 'Read the price of a swap. It may change.'),
        '/quote': get('Quote (spot market)', 'Read the quote of a swap.'),
        '/public': get('Create (public)', 'Make a swap that all see.'),
      },
    }),
  );
  assert.deepEqual(
    all.map((operation) => purposeOf(operation)),
    ['Read the price of a swap', 'Quote (spot market)', 'Make a swap that all see'],
  );
});

test('four dense letters are a phrase; a purpose that is shorter than it may be has its request', () => {
  const [han, kana, hangul] = ['获取文章详情', 'ページ一覧', '글목록 조회'];
  const get = (summary: string, description?: string) => ({
    get: { summary, ...(description !== undefined && { description }), responses: {} },
  });
  const told = {
    '/articles/{slug}': get(han, '根据 slug 读取'),
    '/pages': get(kana, 'ページを読みます。最大 50 件です。'),
    '/posts': get(hangul),
    '/dirs': get('列表。'),
    '/teams': get('Teams of'),
  };
  const { all } = new ApiOperations(documentOf({ paths: told }));
  assert.deepEqual(
    all.map((operation) => purposeOf(operation)),
    [
      ...[`${han} (GET /articles/{slug})`, `${kana} (GET /pages)`, `${hangul} (GET /posts)`],
      ...['列表 (GET /dirs)', 'Teams of (GET /teams)'],
    ],
  );
  const only = new ApiOperations(
    documentOf({ paths: { '/pages': get('', '読みます。最大 50 件。') } }),
  );
  assert.deepEqual(
    only.all.map((operation) => purposeOf(operation)),
    ['読みます (GET /pages)'],
  );
});

test('of a text, what it does is told: no request before it, no stage behind it, no half of it', () => {
  const made = (summary: string, description?: string) => ({ summary, description, responses: {} });
  const document = documentOf({
    paths: {
      '/faces': { post: made('Compare faces (Beta)', 'Images should be small.') },
      '/teams': { post: made('POST /teams Make a team') },
      '/prices': { get: made('', 'Gives prices, e.g. of gold, i.e. what is paid. All of them.') },
    },
  });
  const { all } = new ApiOperations(document);
  assert.deepEqual(
    all.map((operation) => purposeOf(operation)),
    ['Compare faces', 'Make a team', 'Gives prices, e.g. of gold, i.e. what is paid'],
  );
});
