import assert from 'node:assert/strict';
import test from 'node:test';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { positionNames } from '../../../../../generator/provider/guess/pages/page-inputs.ts';
import { pageObstacle } from '../../../../../generator/provider/guess/pages/page-obstacle.ts';
import { answer, list, natureIn, query } from '../described.ts';

const text = { type: 'string' };
const links = (...names: string[]) => ({
  type: 'array',
  items: { properties: Object.fromEntries(names.map((name) => [name, text])) },
});
const posted = (properties: object, required: readonly string[] = []) => ({
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { properties, required } } },
  },
});

for (const [what, operation, expected] of [
  [
    'links of relations',
    {
      parameters: query('limit'),
      responses: answer({ properties: { items: list, links: links('rel', 'href') } }),
    },
    { style: 'next_url', request: { limit: 'limit' }, response: { next: '$.links' } },
  ],
  [
    'links of relations, each with a URI',
    { responses: answer({ properties: { items: list, links: links('rel', 'uri') } }) },
    { style: 'next_url', response: { next: '$.links' } },
  ],
  [
    'links of a Bundle of FHIR',
    {
      responses: answer({ properties: { link: links('relation', 'url'), entry: list } }),
    },
    { style: 'next_url', response: { next: '$.link' } },
  ],
  [
    'a length whose name has a dot',
    {
      parameters: query('page', 'per.page'),
      responses: answer({ properties: { items: list, total: { type: 'integer' } } }),
    },
    {
      style: 'page',
      request: { page: 'page', limit: 'per.page' },
      response: { total: '$.total' },
    },
  ],
  [
    'links without a relation',
    { responses: answer({ properties: { things: list, links: links('title', 'href') } }) },
    undefined,
  ],
  [
    'the number of a page, though links are listed',
    {
      parameters: query('page'),
      responses: answer({ properties: { things: list, links: links('rel', 'href') } }),
    },
    { style: 'page', request: { page: 'page' }, response: { counted: '$.things' } },
  ],
  [
    'an object of the query that has the page and its size',
    {
      parameters: [
        {
          name: 'page',
          in: 'query',
          style: 'deepObject',
          schema: { properties: { page: { type: 'integer' }, per_page: { type: 'integer' } } },
        },
      ],
      responses: answer({ properties: { data: list } }),
    },
    { style: 'page', request: { page: 'page[page]', limit: 'page[per_page]' } },
  ],
  [
    'what is called more where it starts after an id',
    {
      parameters: query('starting_after_id'),
      responses: answer({ properties: { data: list, more_starting_after: text } }),
    },
    {
      style: 'cursor',
      request: { cursor: 'starting_after_id' },
      response: { next: '$.more_starting_after' },
    },
  ],
  [
    'a number that the answer calls a cursor, beside the list in what is called meta',
    {
      parameters: [{ name: 'after', in: 'query', schema: { type: 'number' } }],
      responses: answer({
        properties: {
          status: { type: 'integer' },
          meta: { properties: { parts: list, cursor: { properties: { after: {} } } } },
        },
      }),
    },
    { style: 'cursor', request: { cursor: 'after' }, response: { next: '$.meta.cursor.after' } },
  ],
  [
    'no number that may be a time',
    {
      parameters: [{ name: 'after', in: 'query', schema: { type: 'number' } }],
      responses: answer({ properties: { data: list, after: { type: 'number' } } }),
    },
    undefined,
  ],
  [
    'the list that is named as what holds it, among objects of other names',
    {
      parameters: query('from', 'size'),
      responses: answer({
        properties: {
          _shards: { properties: { failed: { type: 'integer' } } },
          hits: { properties: { hits: list } },
          profile: { properties: { shards: list } },
        },
      }),
    },
    {
      style: 'offset',
      request: { offset: 'from', limit: 'size' },
      response: { counted: '$.hits.hits' },
    },
  ],
  [
    'the id of items that have several forms',
    {
      parameters: query('starting_after'),
      responses: answer({
        properties: {
          data: {
            type: 'array',
            items: {
              oneOf: [{ properties: { id: text, a: text } }, { properties: { id: text, b: text } }],
            },
          },
        },
      }),
    },
    {
      style: 'cursor',
      request: { cursor: 'starting_after' },
      response: { next: '$.data[-1].id' },
    },
  ],
  [
    'no id that one of the forms lacks',
    {
      parameters: query('starting_after'),
      responses: answer({
        properties: {
          data: {
            type: 'array',
            items: { oneOf: [{ properties: { id: text } }, { properties: { b: text } }] },
          },
        },
      }),
    },
    undefined,
  ],
] as const) {
  test(`pagination is guessed from ${what}`, () => {
    const { document, nature } = natureIn('/a', operation);
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}

for (const [what, body, schema, expected] of [
  [
    'a token in the page of a body',
    posted({ q: text, page: { properties: { token: text, limit: { type: 'integer' } } } }),
    { results: list, page: { properties: { next_token: text } } },
    {
      style: 'token_body',
      request: { cursor: 'token', limit: 'limit' },
      response: { next: '$.page.next_token' },
    },
  ],
  [
    'a count and an offset that a body demands',
    posted({ count: { type: 'integer' }, offset: { type: 'integer' } }, ['count', 'offset']),
    { things: list },
    { style: 'offset', request: { offset: 'offset', limit: 'count' } },
  ],
  [
    'a token to continue with beside the items',
    posted({ continue_token: text }),
    { data: { properties: { continue_token: text, emails: list } }, request_id: text },
    {
      style: 'token_body',
      request: { cursor: 'continue_token' },
      response: { next: '$.data.continue_token' },
    },
  ],
] as const) {
  test(`pagination of a search is guessed from ${what}`, () => {
    const responses = answer({ properties: schema });
    const { document, nature } = natureIn('/things/search', { ...body, responses }, 'post');
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}

for (const [path, isPaged] of [
  ['/', false],
  ['/about', false],
  ['/versions', true],
] as const) {
  test(`the answer to ${path}, with links and a list of versions, has next pages: ${isPaged}`, () => {
    const responses = answer({ properties: { versions: list, links: links('rel', 'href') } });
    const { document, nature } = natureIn(path, { responses });
    assert.equal(guessPagination(document, nature)?.style, isPaged ? 'next_url' : undefined);
    assert.equal(pageObstacle(document, nature), undefined);
  });
}

test('links of a search by POST are not followed, and told', () => {
  const responses = answer({ properties: { things: list, links: links('rel', 'href') } });
  const { document, nature } = natureIn('/search', { ...posted({ q: text }), responses }, 'post');
  assert.equal(guessPagination(document, nature), undefined);
  assert.match(pageObstacle(document, nature) ?? '', /only those of a GET are followed/);
});

test('what is created has no pages, whatever its members are called', () => {
  const body = posted({ label: text, page_key: { anyOf: [text, { type: 'null' }] } });
  const made = { properties: { id: {}, label: {}, page_key: {} }, required: ['id'] };
  const responses = { 201: answer(made)[200] };
  const { document, nature } = natureIn('/menu', { ...body, responses }, 'post');
  assert.equal(guessPagination(document, nature), undefined);
});

for (const [method, path] of [
  ['post', '/reports'],
  ['put', '/reports/{id}'],
] as const) {
  test(`what is changed by ${method} has no pages, though a page and a list of its own are in it`, () => {
    const body = posted({ title: text, pageId: { type: 'number' } });
    const changed = { id: { type: 'number' }, pageId: { type: 'number' }, monitorIds: list };
    const responses = answer({ properties: changed });
    const { document, nature } = natureIn(path, { ...body, responses }, method);
    assert.equal(guessPagination(document, nature), undefined);
  });
}

for (const [member, next] of [
  ['pageId', undefined],
  ['nextPageId', '$.nextPageId'],
] as const) {
  test(`the id of a page goes on where an answer has ${member}: ${next !== undefined}`, () => {
    const responses = answer({ properties: { posts: list, [member]: text } });
    const parameters = [{ name: 'pageId', in: 'query', schema: text }];
    const { document, nature } = natureIn('/posts', { parameters, responses });
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}

test('the id of a page that things belong to stays an argument where addresses lead on', () => {
  const parameters = query('page_id', 'offset');
  const { document, nature } = natureIn('/posts', { parameters, responses: answer(list) });
  assert.deepEqual(positionNames(document, nature), ['offset']);
});

for (const [said, hidden] of [
  ['What is given is on or after this date (yyyy-MM-dd)', ['offset']],
  ['Unix timestamp', ['offset']],
  ['Where to begin', ['from', 'offset']],
  [
    'The number of the item to begin with, in the order of their dates; an index',
    ['from', 'offset'],
  ],
] as const) {
  test(`"from" is hidden from whoever follows addresses unless it is a time: ${said}`, () => {
    const from = { name: 'from', in: 'query', schema: text, description: said };
    const parameters = [from, ...query('offset')];
    const { document, nature } = natureIn('/statements', { parameters, responses: answer(list) });
    assert.deepEqual(positionNames(document, nature), hidden);
  });
}

for (const [what, after, isPaged] of [
  [
    'a time by what is said of it',
    { description: 'Only what happened after this time: ISO 8601' },
    false,
  ],
  ['a time by its example', { example: '2024-01-31T10:00:00Z' }, false],
  [
    'a cursor with a date in it',
    { description: 'A cursor that holds the date of the last item' },
    true,
  ],
] as const) {
  test(`"after" is no place in a list where it is ${what}: ${!isPaged}`, () => {
    const parameters = [{ name: 'after', in: 'query', schema: text, ...after }];
    const responses = answer({ properties: { events: list, after: text } });
    const { document, nature } = natureIn('/events', { parameters, responses });
    assert.equal(guessPagination(document, nature) !== undefined, isPaged);
  });
}
