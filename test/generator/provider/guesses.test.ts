import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import { valueFault } from '../../../generator/model/schema/schema-check.ts';
import { surveyOperations } from '../../../generator/provider/draft/draft-curation.ts';
import { draftOperation } from '../../../generator/provider/draft/draft-operation.ts';
import { schemaExample } from '../../../generator/provider/examples/schema-example.ts';
import { credentialTest } from '../../../generator/provider/guess/credential-names.ts';
import { guessAuth } from '../../../generator/provider/guess/guess-auth.ts';
import { guessErrors } from '../../../generator/provider/guess/guess-errors.ts';
import {
  guessItems,
  guessPagination,
  pageObstacle,
} from '../../../generator/provider/guess/guess-pagination.ts';
import { guessServer } from '../../../generator/provider/guess/guess-server.ts';
import { guessOwnAuth } from '../../../generator/provider/guess/own-auth.ts';
import { detailsOf } from '../../../generator/provider/operations/operation-details.ts';
import { resourceOf, toolNames } from '../../../generator/provider/operations/operation-names.ts';
import { natureOf } from '../../../generator/provider/operations/operation-nature.ts';
import { purposeOf } from '../../../generator/provider/operations/operation-purpose.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';

function documentOf(parts: object): ApiDocument {
  const root = { openapi: '3.1.0', info: { title: 'X', version: '1' }, ...parts };
  const place = { file: 'x.yaml', line: 1, column: 1 };
  return { root, version: '3.1', file: 'x.yaml', locate: () => place };
}

function natureIn(path: string, operation: object, method = 'get') {
  const document = documentOf({ paths: { [path]: { [method]: operation } } });
  const [first] = new ApiOperations(document).all;
  assert.ok(first);
  return { document, nature: natureOf(document, first) };
}

const query = (...names: string[]) =>
  names.map((name) => ({
    name,
    in: 'query',
    schema: { type: /cursor|after/.test(name) ? 'string' : 'integer' },
  }));
const answer = (schema: object, headers = {}) => ({
  200: { description: 'ok', headers, content: { 'application/json': { schema } } },
});
const list = { type: 'array', items: { type: 'object' } };

for (const [what, parameters, responses, expected] of [
  [
    'a cursor that the answer names',
    query('cursor', 'limit'),
    answer({ properties: { meta: { properties: { next_cursor: { type: 'string' } } } } }),
    {
      style: 'cursor',
      request: { cursor: 'cursor', limit: 'limit' },
      response: { next: '$.meta.next_cursor' },
    },
  ],
  [
    'a cursor beside a bare list',
    query('after'),
    answer(list),
    { style: 'link_header', request: { cursor: 'after' } },
  ],
  [
    'a cursor beside a bare list whose next one has a header of its own',
    query('page_token'),
    answer(list, {
      'X-Page-Token': { schema: { type: 'string' } },
      'X-Next-Page-Token': { schema: { type: 'string' } },
    }),
    {
      style: 'cursor',
      request: { cursor: 'page_token' },
      response: { next_header: 'X-Next-Page-Token' },
    },
  ],
  [
    'page numbers',
    query('page', 'per_page'),
    answer(list),
    { style: 'page', request: { page: 'page', limit: 'per_page' } },
  ],
  [
    'page numbers with a Link header (RFC 8288)',
    query('page'),
    answer(list, { Link: { schema: { type: 'string' } } }),
    { style: 'link_header', request: { page: 'page' } },
  ],
  [
    'a Link header alone (RFC 8288)',
    [],
    answer(list, { Link: { schema: { type: 'string' } } }),
    { style: 'link_header' },
  ],
  [
    'a Link header beside the size of a page',
    query('limit'),
    answer(list, { link: { schema: { type: 'string' } } }),
    { style: 'link_header', request: { limit: 'limit' } },
  ],
  [
    'a Link header beside one thing',
    query('limit'),
    answer({ properties: { id: { type: 'string' } } }, { Link: { schema: { type: 'string' } } }),
    undefined,
  ],
  [
    'an offset',
    query('offset', 'limit'),
    answer(list),
    { style: 'offset', request: { offset: 'offset', limit: 'limit' } },
  ],
  [
    'the address of the next page, whatever parameters there are',
    query('cursor', 'page', 'limit'),
    answer({ properties: { next_page_uri: { type: 'string', format: 'uri' } } }),
    { style: 'next_url', request: { limit: 'limit' }, response: { next: '$.next_page_uri' } },
  ],
  [
    'the address of the next page as OData names it',
    query('$top', '$skip'),
    answer({ properties: { '@odata.nextLink': { type: 'string' }, value: list } }),
    {
      style: 'next_url',
      request: { limit: '$top' },
      response: { next: "$['@odata.nextLink']" },
    },
  ],
  [
    'an offset as OData names it',
    query('$top', '$skip'),
    answer({ properties: { value: list } }),
    { style: 'offset', request: { offset: '$skip', limit: '$top' } },
  ],
  ['nothing of the kind', query('from_date'), answer(list), undefined],
  [
    'a cursor beside a member that says whether there is more',
    query('after'),
    answer({
      properties: {
        more: { type: 'boolean' },
        paging: {
          properties: {
            has_next: { type: 'boolean' },
            cursors: { properties: { after: { type: 'string' } } },
          },
        },
        data: list,
      },
    }),
    {
      style: 'cursor',
      request: { cursor: 'after' },
      response: { next: '$.paging.cursors.after', has_more: '$.more' },
    },
  ],
  [
    'the number of all pages',
    query('page', 'size'),
    answer({ properties: { content: list, totalPages: { type: 'integer' } } }),
    {
      style: 'page',
      request: { page: 'page', limit: 'size' },
      response: { pages: '$.totalPages' },
    },
  ],
  [
    'a cursor inside of a nested next page',
    query('starting_after', 'per_page'),
    answer({
      properties: {
        pages: { properties: { next: { properties: { starting_after: { type: 'string' } } } } },
        data: list,
      },
    }),
    {
      style: 'cursor',
      request: { cursor: 'starting_after', limit: 'per_page' },
      response: { next: '$.pages.next.starting_after' },
    },
  ],
  [
    'a marker',
    query('marker'),
    answer({ properties: { next_marker: { type: 'string' }, files: list } }),
    { style: 'cursor', request: { cursor: 'marker' }, response: { next: '$.next_marker' } },
  ],
  [
    'the id of the last item',
    query('after', 'limit'),
    answer({
      properties: {
        has_more: { type: 'boolean' },
        data: { type: 'array', items: { properties: { id: { type: 'string' } } } },
      },
    }),
    {
      style: 'cursor',
      request: { cursor: 'after', limit: 'limit' },
      response: { next: '$.data[-1].id', has_more: '$.has_more' },
    },
  ],
  [
    'names inside of others',
    query('listOptions.continue', 'listOptions.limit'),
    answer({ properties: { metadata: { properties: { continue: {} } }, items: list } }),
    {
      style: 'cursor',
      request: { cursor: 'listOptions.continue', limit: 'listOptions.limit' },
      response: { next: '$.metadata.continue' },
    },
  ],
  [
    'page numbers without a size, where the answer is given whole',
    query('page'),
    answer({ properties: { rows: list, columns: { type: 'object', additionalProperties: true } } }),
    { style: 'page', request: { page: 'page' }, response: { counted: '$.rows' } },
  ],
  [
    'page numbers beside a list of links',
    query('page', 'page_size'),
    answer({ properties: { plans: list, links: list, total_items: { type: 'integer' } } }),
    {
      style: 'page',
      request: { page: 'page', limit: 'page_size' },
      response: { total: '$.total_items', counted: '$.plans' },
    },
  ],
  [
    'names that are written with hyphens',
    query('page-token', 'page-size'),
    answer({ properties: { 'next-page-token': { type: 'string' }, items: list } }),
    {
      style: 'cursor',
      request: { cursor: 'page-token', limit: 'page-size' },
      response: { next: '$.next-page-token' },
    },
  ],
  [
    'a key that the answer repeats',
    query('page_key'),
    answer({ properties: { result: list, pagination: { properties: { page_key: {} } } } }),
    {
      style: 'cursor',
      request: { cursor: 'page_key' },
      response: { next: '$.pagination.page_key' },
    },
  ],
  [
    'page numbers that are demanded, beside another number',
    ['number', 'pageNo', 'pageSize'].map((name) => ({
      ...{ name, in: 'query', required: name !== 'number', schema: { type: 'integer' } },
    })),
    answer({ properties: { results: list, totalResults: { type: 'integer' } } }),
    {
      style: 'page',
      request: { page: 'pageNo', limit: 'pageSize' },
      response: { total: '$.totalResults' },
    },
  ],
  [
    'an index as SCIM names it (RFC 7644)',
    [...query('count'), { name: 'startIndex', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { schemas: list, totalResults: { type: 'integer' }, Resources: list } }),
    {
      style: 'offset',
      request: { offset: 'startIndex', limit: 'count' },
      response: { total: '$.totalResults', counted: '$.Resources' },
    },
  ],
  [
    'names after an underscore, beside a list that may be null',
    query('_page', '_limit'),
    answer({ properties: { data: { anyOf: [list, { type: 'null' }] }, errors: list } }),
    {
      style: 'page',
      request: { page: '_page', limit: '_limit' },
      response: { counted: '$.data' },
    },
  ],
  ['no number of a thing', query('number'), answer(list), undefined],
  [
    'no parameter that filters by day',
    [{ name: 'after', in: 'query', schema: { type: 'string', format: 'date-time' } }],
    answer(list),
    undefined,
  ],
] as const) {
  test(`pagination is guessed from ${what}`, () => {
    const { document, nature } = natureIn('/a', { parameters, responses });
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}

test('a cursor in a body is guessed, and a next address by what is said of it', () => {
  const body = { properties: { cursor: { type: 'string' }, q: { type: 'string' } } };
  const { document, nature } = natureIn(
    '/things/search',
    {
      requestBody: { content: { 'application/json': { schema: body } } },
      responses: answer({ properties: { cursor: { type: 'string' }, things: list } }),
    },
    'post',
  );
  assert.deepEqual(guessPagination(document, nature), {
    style: 'token_body',
    request: { cursor: 'cursor' },
    response: { next: '$.cursor' },
  });
  const told = { type: 'string', description: 'The URL of the next page' };
  const { document: other, nature: second } = natureIn('/a', {
    parameters: query('since', 'limit'),
    responses: answer({ properties: { paging: { properties: { next: told } }, messages: list } }),
  });
  assert.deepEqual(guessPagination(other, second)?.response, { next: '$.paging.next' });
});

test('a list that nobody can page through says why', () => {
  const obstacle = (parameters: object[]) => {
    const responses = answer({ properties: { things: list } });
    const { document, nature } = natureIn('/a', { parameters, responses });
    return pageObstacle(document, nature);
  };
  assert.equal(
    obstacle(query('cursor')),
    'nothing in the answer is described as the next "cursor"',
  );
  assert.equal(
    obstacle([{ name: 'page', in: 'query', schema: { type: 'object' } }]),
    '"page" is no single value',
  );
  assert.equal(obstacle(query('page')), undefined);
  assert.equal(obstacle(query('q')), undefined);
});

test('callers count themselves where an answer is no list, though others page by that number', () => {
  const usual = { style: 'offset', request: { offset: 'offset', limit: 'limit' } } as const;
  const columns = { properties: { ids: list, documents: list, include: list } };
  const members = { offset: { type: 'integer' }, limit: { type: 'integer' } };
  const requestBody = { content: { 'application/json': { schema: { properties: members } } } };
  const drafted = (schema: object) => {
    const responses = answer(schema);
    const { document, nature } = natureIn('/get', { requestBody, responses }, 'post');
    const auth = guessAuth(document, 'acme');
    return draftOperation(document, nature, { name: 'acme_get', usual, auth, texts: true })
      .pagination;
  };
  assert.deepEqual(drafted(columns), { style: 'none' });
  assert.equal(drafted(list), undefined, 'as is usual');
});

test('an operation that pages by a Link header alone says so, though it is usual', () => {
  const responses = answer(list, { Link: { schema: { type: 'string' } } });
  const { document, nature } = natureIn('/a', { responses });
  const auth = guessAuth(document, 'acme');
  const usual = { style: 'link_header' as const };
  const { pagination } = draftOperation(document, nature, {
    name: 'acme_a_list',
    usual,
    auth,
    texts: true,
  });
  assert.deepEqual(pagination, usual);
});

test('a token that an address demands is of its caller, unless it is said to authenticate', () => {
  const isCredential = credentialTest([{ type: 'bearer' }]);
  const token = { name: 'token', in: 'query', required: true };
  const text = 'What [Authorize](/authorize) has answered';
  assert.equal(isCredential({ ...token, description: text }), false);
  assert.equal(isCredential({ ...token, description: 'Token for authorization' }), true);
});

test('what says where a page begins is hidden where answers name the next one', () => {
  const next = { properties: { next_page_uri: { type: 'string' } } };
  const { document, nature } = natureIn('/a', {
    parameters: query('page_token', 'page', 'limit', 'q'),
    responses: answer(next),
  });
  const { params } = draftOperation(document, nature, {
    name: 'acme_a_list',
    usual: undefined,
    auth: { auth: { type: 'none' }, review: '' },
    texts: true,
  });
  assert.deepEqual(params, { hide: ['page_token', 'page'] });
});

for (const [schema, path, expected] of [
  [list, '/a', '$'],
  [{ allOf: [{ properties: { data: list } }, { properties: { total: {} } }] }, '/a', '$.data'],
  [{ properties: { a: list, b: list } }, '/a', undefined],
  [{ properties: { a: list, name: { type: 'string' } } }, '/a', undefined],
  [{ properties: { a: list, meta: { properties: { page: {}, total: {} } } } }, '/a', '$.a'],
  [{ properties: { a: list, meta: { properties: { author: {} } } } }, '/a', undefined],
  [{ properties: { data: { properties: { results: list, total: {} } } } }, '/a', '$.data.results'],
  [{ properties: { tags: list } }, '/a/{id}', undefined],
] as const) {
  test(`the list in the answer to GET ${path} with ${JSON.stringify(schema)} is ${expected}`, () => {
    const { document, nature } = natureIn(path, { responses: answer(schema) });
    assert.equal(guessItems(document, nature), expected);
  });
}

for (const [path, operation, method, reads] of [
  ['/users', { operationId: 'users.list' }, 'get', true],
  ['/posts', { operationId: 'getPost', summary: 'Post' }, 'get', true],
  ['/auth.revoke', { operationId: 'auth_revoke' }, 'get', false],
  ['/users/{id}/ban', { operationId: 'user' }, 'get', false],
  ['/x', { summary: 'Deletes everything' }, 'get', false],
  ['/users', { operationId: 'users.list' }, 'post', true],
  ['/users', { operationId: 'users.create' }, 'post', false],
  ['/users/search', { operationId: 'addAndList' }, 'post', false],
  ['/users/get', {}, 'post', true],
  ['/users', { operationId: 'getAndDelete' }, 'get', false],
  ['/messages', { summary: 'Get and remove messages' }, 'get', false],
  ['/orders/cancelled', { summary: 'List orders that were cancelled' }, 'get', true],
  ['/users/search', { summary: 'Search deleted users' }, 'post', true],
  ['/items/query', { operationId: 'listPurge' }, 'post', false],
  ['/query', { operationId: 'PostQuery', summary: 'Query data' }, 'post', true],
  ['/list', { operationId: 'PostList', summary: 'A list' }, 'post', false],
] as const) {
  test(`${method} ${path} ${JSON.stringify(operation)} ${reads ? 'only reads' : 'may change something'}`, () => {
    assert.equal(natureIn(path, operation, method).nature.reads, reads);
  });
}

for (const [path, operation, destroys] of [
  ['/delete', {}, true],
  ['/users/delete', { summary: 'Delete a user for ever' }, true],
  ['/users.delete', { operationId: 'users_delete' }, true],
  ['/orders', { operationId: 'cancelOrder' }, true],
  ['/items', { operationId: 'getAndDelete' }, true],
  ['/items', { operationId: 'wipeAll' }, true],
  ['/keys', { operationId: 'revokeKeys' }, true],
  ['/items', { operationId: 'listPurge' }, true],
  ['/items', { summary: 'Permanently removes an item' }, true],
  ['/deleteuser', {}, true],
  ['/users/{id}/deletions', {}, true],
  ['/caches/flush', {}, true],
  ['/tokens.rotate', { operationId: 'tokens_rotate', summary: 'Rotate all tokens' }, true],
  ['/keys/{id}/regenerate', { summary: 'Make another key of it' }, true],
  [
    '/secrets/{id}/rotate',
    { summary: 'Rotate', description: 'The previous secret remains valid for 24 hours.' },
    false,
  ],
  ['/secrets/{id}/delete', { description: 'It remains valid for 24 hours.' }, true],
  ['/items', { summary: 'Create an item' }, false],
  ['/items/undelete', { summary: 'Restore a deleted item' }, false],
  ['/content-blocks', { operationId: 'createContentBlock', summary: 'Create a block' }, false],
] as const) {
  test(`POST ${path} ${JSON.stringify(operation)} ${destroys ? 'destroys' : 'destroys nothing'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    const name = 'acme_x';
    const auth = { auth: { type: 'none' as const }, review: '' };
    const { annotations } = draftOperation(document, nature, {
      name,
      usual: undefined,
      auth,
      texts: true,
    });
    assert.equal(annotations.destructive, destroys);
    assert.equal(annotations.readOnly, false);
  });
}

test('tool names come from ids that are names, else from the path; all are distinct and short', () => {
  const ok = { responses: {} };
  const document = documentOf({
    paths: {
      '/v1/users': { get: { operationId: 'users.list', ...ok }, post: ok },
      '/api/2/users/{id}': { get: { operationId: 'Read one user of yours', ...ok }, delete: ok },
      '/acme': { get: { operationId: 'ACME_GetThing', ...ok } },
      '/users': { post: ok },
      [`/${'a-quite-long-segment/'.repeat(4)}{id}`]: { get: ok },
    },
  });
  const operations = new ApiOperations(document).all;
  const names = toolNames('acme', operations);
  assert.deepEqual(names.slice(0, 6), [
    'acme_users_list',
    'acme_users_create',
    'acme_users_get',
    'acme_users_delete',
    'acme_get_thing',
    'acme_users_create2',
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
  const query = ['limit', 'api_key', 'state', 'colour'].map((name) => ({
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
    'Read things (GET /things): takes colour, state; gives id, size, owner',
    'Send things (POST /things): takes id, size, owner',
    'Read nested (GET /nested)',
    'Tell what is there',
    'Changelog What is on tables',
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
  const names = toolNames('acme', operations, ({ path }) => path === '/me');
  const expected = ['acme_me_get', 'acme_me_replace', 'acme_me_update', 'acme_users_list'];
  assert.deepEqual(names, expected);
});

for (const [what, scheme, expected] of [
  ['bearer', { type: 'http', scheme: 'Bearer' }, { type: 'bearer' }],
  ['OAuth', { type: 'oauth2', flows: {} }, { type: 'bearer' }],
  ['basic', { type: 'http', scheme: 'basic' }, { type: 'basic', format: '{token}' }],
  [
    'basic, with a key that is the user',
    { type: 'http', scheme: 'basic', description: 'Send your API key as the username.' },
    { type: 'basic', format: '{token}:' },
  ],
  [
    'a key in a header',
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    { type: 'api_key', in: 'header', name: 'X-Key', format: '{token}' },
  ],
] as const) {
  test(`${what} becomes ${expected.type} with a variable of the provider`, () => {
    const document = documentOf({ components: { securitySchemes: { s: scheme } } });
    assert.deepEqual(guessAuth(document, 'acme').auth, {
      ...expected,
      env: ['SERVICE_ACME_TOKEN'],
      required: true,
    });
  });
}

test('one value, a text and a file are no lists', () => {
  const get = (type: string, schema: object) => ({
    get: { responses: { 200: { description: 'ok', content: { [type]: { schema } } } } },
  });
  const text = { type: 'string' };
  const document = documentOf({
    paths: {
      '/health': get('application/json', text),
      '/metrics': get('text/plain', text),
      '/logo': get('image/png', {}),
      '/users': get('application/json', list),
    },
  });
  const { names } = surveyOperations({
    id: 'acme',
    document,
    origin: undefined,
    licence: undefined,
    texts: true,
  });
  assert.deepEqual(names, [
    'acme_health_get',
    'acme_metrics_get',
    'acme_logo_get',
    'acme_users_list',
  ]);
});

test('a description without security schemes is keyless; a demanded scheme goes before others', () => {
  assert.deepEqual(guessAuth(documentOf({}), 'acme').auth, { type: 'none' });
  const securitySchemes = { a: { type: 'http', scheme: 'basic' }, b: { type: 'oauth2' } };
  const document = documentOf({ components: { securitySchemes }, security: [{ b: [] }] });
  assert.equal(guessAuth(document, 'acme').auth.type, 'bearer');
});

test('the scheme of most operations wins, a header before an address, and others are named', () => {
  const key = (place: string) => ({ type: 'apiKey', in: place, name: 'key' });
  const securitySchemes = { url: key('query'), header: key('header'), rare: { type: 'oauth2' } };
  const security = [{ url: [] }, { header: [] }];
  const paths = {
    '/a': { get: { security }, post: { security } },
    '/b': { get: { security: [{ rare: [] }] } },
  };
  const { auth, review } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.equal(auth.in, 'header');
  assert.match(review, /also offers url, rare/);
});

test('a user with a password is asked for as both', () => {
  const securitySchemes = { s: { type: 'http', scheme: 'basic' } };
  const { review } = guessAuth(documentOf({ components: { securitySchemes } }), 'acme');
  assert.match(review, /SERVICE_ACME_TOKEN holds user:password/);
});

for (const [text, format] of [
  ['`Authorization: DeepL-Auth-Key [yourAuthKey]`', 'DeepL-Auth-Key {token}'],
  ['Send it as "Bearer YOUR_KEY" please', 'Bearer {token}'],
  ['Your key', '{token}'],
] as const) {
  test(`a key in Authorization that is described by ${text} is sent as ${format}`, () => {
    const s = { type: 'apiKey', in: 'header', name: 'Authorization', description: text };
    const document = documentOf({ components: { securitySchemes: { s } } });
    assert.equal(guessAuth(document, 'acme').auth.format, format);
  });
}

test('a credential that is an ordinary header of most operations becomes the way to authenticate', () => {
  const parameters = [{ name: 'X-Auth-Token', in: 'header', required: true }];
  const paths = { '/a': { get: { parameters }, post: { parameters } }, '/b': { get: {} } };
  const { auth } = guessAuth(documentOf({ paths }), 'acme');
  assert.deepEqual(
    { type: auth.type, in: auth.in, name: auth.name },
    { type: 'api_key', in: 'header', name: 'X-Auth-Token' },
  );
});

test('keys that are demanded together travel together, each from a variable of its own', () => {
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const securitySchemes = { app: key('ACME-APP-KEY'), secret: key('X-Secret'), other: key('K') };
  const security = [{ secret: [], app: [] }];
  const paths = { '/a': { get: { security } }, '/b': { get: { security: [{ app: [] }] } } };
  const { auth, headers } = guessAuth(
    documentOf({ paths, components: { securitySchemes } }),
    'acme',
  );
  assert.equal(auth.name, 'ACME-APP-KEY');
  assert.deepEqual(headers, { 'X-Secret': '{env:SERVICE_ACME_SECRET}' });
});

test('of schemes demanded together, what a request can carry is sent, and a person is told', () => {
  const key = { type: 'apiKey', in: 'header', name: 'Authorization' };
  const securitySchemes = {
    key,
    token: { type: 'http', scheme: 'bearer' },
    certificate: { type: 'mutualTLS' },
  };
  const authOf = (...names: string[]) => {
    const security = [Object.fromEntries(names.map((name) => [name, []]))];
    const paths = { '/a': { get: { responses: {} } } };
    return guessAuth(documentOf({ components: { securitySchemes }, security, paths }), 'x');
  };
  // One header has one value (RFC 9110 section 11.6.2).
  const both = authOf('key', 'token');
  assert.deepEqual(
    [both.auth.type, both.headers, both.schemes],
    [...['bearer', undefined, ['key', 'token']]],
  );
  assert.match(both.review, /^the description wants key and token together, of which only some/);
  const certified = authOf('certificate', 'token');
  assert.equal(certified.auth.type, 'bearer');
  assert.match(certified.review, /wants certificate and token together/);
});

test('an HTTP scheme of the vendor itself is the word before its credential', () => {
  const s = { type: 'http', scheme: 'X-Matrix' };
  const { auth } = guessAuth(documentOf({ components: { securitySchemes: { s } } }), 'acme');
  assert.deepEqual(
    [auth.type, auth.name, auth.format],
    [...['api_key', 'Authorization', 'X-Matrix {token}']],
  );
  const digest = { type: 'http', scheme: 'digest' };
  const other = documentOf({ components: { securitySchemes: { digest } } });
  assert.equal(guessAuth(other, 'acme').auth.type, 'none');
});

test('an optional key in the parameters becomes an optional credential; whose it is comes with it', () => {
  const header = (name: string, required: boolean) => ({
    name,
    in: 'header',
    required,
    schema: {},
  });
  const of = (...parameters: object[]) => documentOf({ paths: { '/a': { get: { parameters } } } });
  const { auth } = guessAuth(of(header('xi-api-key', false)), 'acme');
  assert.deepEqual([auth.name, auth.required], ['xi-api-key', false]);
  const { headers } = guessAuth(
    of(header('X-Auth-Token', true), header('X-User-Id', true)),
    'acme',
  );
  assert.deepEqual(headers, { 'X-User-Id': '{env:SERVICE_ACME_USER_ID}' });
});

for (const [url, origin, expected] of [
  ['/v1', 'http://127.0.0.1:8000/openapi.json', 'http://127.0.0.1:8000/v1'],
  [undefined, 'http://localhost:8000/docs/openapi.json', 'http://localhost:8000'],
  ['', 'http://localhost:8000/docs/api/schema', 'http://localhost:8000'],
  ['http://10.0.0.7/api', undefined, 'http://10.0.0.7/api'],
  ['https://me:secret@api.acme.example/?key=1#x', undefined, 'https://api.acme.example'],
] as const) {
  test(`a server ${url} of a description at ${origin} is ${expected}`, () => {
    const document = documentOf(url === undefined ? {} : { servers: [{ url }] });
    assert.equal(guessServer(document, 'acme', origin).url, expected);
  });
}

test('the first server that is an address wins', () => {
  const servers = [{ url: '' }, { url: 'ftp://acme.example' }, { url: 'https://api.acme.example' }];
  assert.equal(
    guessServer(documentOf({ servers }), 'acme', undefined).url,
    'https://api.acme.example',
  );
});

test('a server gets TLS and the defaults of its variables; without one a person is asked', () => {
  const server = {
    url: 'http://{region}.acme.example/v1/',
    variables: { region: { default: 'eu' } },
  };
  assert.deepEqual(guessServer(documentOf({ servers: [server] }), 'acme', undefined), {
    url: 'https://eu.acme.example/v1',
    review: 'region took the default value',
  });
  const unknown = guessServer(documentOf({ servers: [{ url: '/v1' }] }), 'acme', undefined);
  assert.match(unknown.review ?? '', /write its base URL here/);
});

for (const [schema, expected] of [
  [{ type: 'string', enum: ['a', 'b'] }, 'a'],
  [{ type: ['null', 'string'], format: 'date-time' }, '2026-01-31T12:00:00Z'],
  [{ type: 'string', minLength: 9, maxLength: 9 }, 'examplexx'],
  [{ type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }, 5],
  [{ type: 'number', maximum: -2 }, -2],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
  [{ oneOf: [{ type: 'null' }, { const: 7 }] }, 7],
  [{ allOf: [{ type: 'integer' }, { anyOf: [{}, { not: {} }] }] }, 1],
  [{ type: 'integer', anyOf: [{ not: {} }, true] }, 1],
  [
    {
      allOf: [
        { required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { b: { examples: [3] } } },
      ],
    },
    { a: 'example', b: 3 },
  ],
] as const) {
  test(`an example of ${JSON.stringify(schema)} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(schemaExample(documentOf({}), schema), expected);
  });
}

for (const pattern of ['^[0-9]+$', '^T[A-Z0-9]{10}$', '^\\d{4}-\\d\\d$', '^(a|b)-[^/]+$']) {
  test(`the example of a string that must match ${pattern} does`, () => {
    const example = schemaExample(documentOf({}), { type: 'string', pattern });
    assert.match(String(example), new RegExp(pattern));
    assert.equal(schemaExample(documentOf({}), { type: 'string', pattern }), example);
  });
}

test('the example of a recursive schema ends', () => {
  const Node = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Node' } },
  };
  const document = documentOf({ components: { schemas: { Node } } });
  assert.ok(
    JSON.stringify(schemaExample(document, { $ref: '#/components/schemas/Node' })).length < 200,
  );
});

for (const [text, isLinked] of [
  ['Paginated: see the `Link` header of the answer.', true],
  ['The next page is in the link response headers', true],
  ['Follow rel="next".', true],
  ['A link to the header image', false],
] as const) {
  test(`a list whose text says "${text}" ${isLinked ? 'pages by links' : 'has one page'}`, () => {
    const operation = { description: text, responses: answer(list) };
    const { document, nature } = natureIn('/things', operation);
    const guessed = guessPagination(document, nature);
    assert.equal(guessed?.style, isLinked ? 'link_header' : undefined);
  });
}

test('of the words of a failure, those that say most are taken', () => {
  const text = { type: 'string' };
  const schema = { properties: { error: text, errorCode: text, errorDescription: text } };
  const failure = { 400: { description: 'no', content: { 'application/json': { schema } } } };
  const { document, nature } = natureIn('/things', { responses: failure });
  assert.deepEqual(guessErrors(document, [nature]), { message: '$.errorDescription' });
});

test('of integers and numbers in a oneOf, only a fraction is of one (JSON Schema, oneOf)', () => {
  for (const oneOf of [
    [{ type: 'integer' }, { type: 'number' }],
    [{ type: 'number', minimum: 10 }, { type: 'string' }, { type: 'integer' }],
  ]) {
    const made = schemaExample(documentOf({}), { oneOf });
    assert.equal(valueFault({ oneOf }, made as number), undefined, JSON.stringify(made));
  }
  const given = {
    oneOf: [
      { type: 'integer', enum: [3] },
      { type: 'number', maximum: 1 },
    ],
  };
  assert.equal(schemaExample(documentOf({}), given), 3);
});

test('what is of any media type is JSON where it has members: lists of Spring page', () => {
  const page = { type: 'object', properties: { content: list, totalPages: { type: 'integer' } } };
  const any = (schema: object) => ({
    parameters: query('page', 'size'),
    responses: { 200: { description: 'ok', content: { '*/*': { schema } } } },
  });
  const { document, nature } = natureIn('/things', any(page));
  assert.equal(nature.content?.contentType, 'application/json');
  assert.equal(guessItems(document, nature), '$.content');
  assert.deepEqual(guessPagination(document, nature), {
    style: 'page',
    request: { page: 'page', limit: 'size' },
    response: { pages: '$.totalPages' },
  });
  const { nature: text } = natureIn('/things', any({ type: 'string' }));
  assert.equal(text.content, undefined);
});

test('operations that do not take the usual credential name their own, and the others', () => {
  const responses = { 200: { description: 'ok' } };
  const get = (security?: object[]) => ({ get: { responses, ...(security && { security }) } });
  const document = documentOf({
    security: [{ userToken: [] }],
    components: {
      securitySchemes: {
        userToken: { type: 'http', scheme: 'bearer' },
        appToken: { type: 'http', scheme: 'bearer' },
        adminKey: { type: 'apiKey', in: 'query', name: 'admin' },
        'X-Admin': { type: 'apiKey', in: 'header', name: 'X-Admin' },
      },
    },
    paths: {
      '/a': get(),
      '/b': get(),
      '/free': get([]),
      '/either': get([{ adminKey: [] }, {}]),
      '/app': get([{ appToken: [] }]),
      '/admin': get([{ adminKey: [] }, { 'X-Admin': [] }]),
    },
  });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  const taken = new ApiOperations(document).all.map((each) => [each.path, own.of(each)]);
  assert.deepEqual(
    taken.filter(([, auth]) => auth !== undefined),
    [
      ['/app', { auth: ['app_token'] }],
      ['/admin', { auth: ['x_admin'], review: 'it also takes adminKey' }],
    ],
  );
  const key = { type: 'api_key', in: 'header', name: 'X-Admin', format: '{token}' };
  assert.deepEqual(own.entries, [
    {
      ...{ id: 'app_token', type: 'bearer', required: true, default: false },
      // It travels as the usual one, which may well be good for both.
      env: ['SERVICE_ACME_APP_TOKEN', 'SERVICE_ACME_TOKEN'],
    },
    { id: 'x_admin', ...key, env: ['SERVICE_ACME_ADMIN'], required: true, default: false },
  ]);
});
