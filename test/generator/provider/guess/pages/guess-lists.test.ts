import assert from 'node:assert/strict';
import test from 'node:test';
import { surveyOperations } from '../../../../../generator/provider/draft/draft-curation.ts';
import { answerList } from '../../../../../generator/provider/guess/pages/answer-list.ts';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { guessItems } from '../../../../../generator/provider/guess/pages/told-list.ts';
import { answer, documentOf, list, natureIn, query } from '../described.ts';

const whole = { type: 'integer' };

for (const [schema, path, expected] of [
  [list, '/a', '$'],
  [{ allOf: [{ properties: { data: list } }, { properties: { total: {} } }] }, '/a', '$.data'],
  [{ properties: { a: list, b: list } }, '/a', undefined],
  [{ properties: { a: list, name: { type: 'string' } } }, '/a', undefined],
  [{ properties: { a: list, meta: { properties: { page: {}, total: {} } } } }, '/a', '$.a'],
  [{ properties: { a: list, meta: { properties: { author: {} } } } }, '/a', undefined],
  [{ properties: { data: { properties: { results: list, total: {} } } } }, '/a', '$.data.results'],
  [{ properties: { tags: list } }, '/a/{id}', undefined],
  [{ properties: { checks: list, status: { type: 'string' } } }, '/a', undefined],
  [{ properties: { desks: list, totalWaiting: {}, totalStaff: {} } }, '/a', undefined],
  [{ properties: { shops: list, totalShops: {} } }, '/a', '$.shops'],
  [{ properties: { shops: list, totalShops: {}, totalWorkers: {} } }, '/a', undefined],
  [{ properties: { checks: list, status: { type: 'string' }, total: {} } }, '/a', '$.checks'],
  [{ properties: { data: list, status: { type: 'string' } } }, '/a', '$.data'],
  [
    {
      properties: {
        data: list,
        paging: { properties: { next: { properties: { after: {}, link: {} } } } },
      },
    },
    '/a',
    '$.data',
  ],
  [{ properties: { values: list, isLast: { type: 'boolean' } } }, '/a', '$.values'],
  [
    {
      properties: {
        _embedded: { anyOf: [{ properties: { item: list } }, { type: 'object' }] },
        _links: { properties: { next: { properties: { href: {} } } } },
      },
    },
    '/a',
    '$._embedded.item',
  ],
  [{ properties: { data: { anyOf: [{ properties: { a: list } }, {}] } } }, '/a', undefined],
  [
    {
      properties: {
        'hydra:member': list,
        'hydra:totalItems': {},
        'hydra:view': { properties: { '@type': {}, 'hydra:next': {} } },
        'hydra:search': { properties: { '@type': {}, 'hydra:mapping': list } },
      },
    },
    '/a',
    "$['hydra:member']",
  ],
  [{ properties: { list: {}, page: whole, pageSize: whole, total: whole } }, '/a', '$.list'],
  [{ properties: { list: {}, page: whole, pageSize: whole } }, '/a', undefined],
  [{ properties: { beds: {}, page: whole, total: whole } }, '/a', undefined],
  [{ properties: { data: { properties: {} }, page: whole, total: whole } }, '/a', undefined],
  [{ properties: { items: list, view: { properties: { name: {} } } } }, '/a', undefined],
  [{ properties: { a: list, links: { properties: { self: {}, next: {} } } } }, '/a', '$.a'],
] as const) {
  test(`the list in the answer to GET ${path} with ${JSON.stringify(schema)} is ${expected}`, () => {
    const { document, nature } = natureIn(path, { responses: answer(schema) });
    assert.equal(guessItems(document, nature), expected);
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

test('what is of any media type is JSON where it has members: lists of Spring page', () => {
  const page = { type: 'object', properties: { content: list, totalPages: { type: 'integer' } } };
  const any = (schema: object, type = '*/*') => ({
    parameters: query('page', 'size'),
    responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
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
  const { nature: bare } = natureIn('/things', any(list, '*'));
  assert.equal(bare.content?.contentType, 'application/json');
});

test('of several answers, the one that is asked for decides: plain JSON, of the first status that has any', () => {
  const listed = (responses: object) => {
    const { document, nature } = natureIn('/a', { responses });
    return guessItems(document, nature);
  };
  const envelope = { properties: { member: list, totalItems: { type: 'integer' } } };
  const content = {
    'application/ld+json': { schema: envelope },
    'application/json': { schema: list },
  };
  assert.equal(listed({ 200: { description: 'ok', content } }), '$');
  const partial = { description: 'ok', content: { 'application/json': { schema: list } } };
  assert.equal(listed({ 200: { description: 'all' }, 206: partial }), '$');
});

test('a list among errors is followed, and stays whole: what comes may be an error', () => {
  const page = { properties: { next_page_token: { type: 'string' } } };
  const found = { properties: { data: list, info: page } };
  const error = { properties: { status: {}, code: {}, message: {} } };
  const other = { properties: { status: {}, message: {}, balance: {} } };
  const guessed = (...oneOf: object[]) => {
    const responses = answer({ type: 'object', oneOf });
    const { document, nature } = natureIn('/a', { parameters: query('page_token'), responses });
    return {
      pages: guessPagination(document, nature)?.response,
      items: guessItems(document, nature),
    };
  };
  const pages = { next: '$.info.next_page_token' };
  assert.deepEqual(guessed(error, found), { pages, items: undefined });
  // What is no error may be the answer, too.
  assert.deepEqual(guessed(other, found), { pages: undefined, items: undefined });
});

const shared = { type: 'array', items: { properties: { id: {}, url: {} } } };
const leading = { type: 'array', items: { properties: { rel: {}, href: {} } } };

for (const [properties, path] of [
  [{ payload: { properties: { orders: list, next: {} } }, errors: list }, '$.payload.orders'],
  [{ orders: list, warnings: list, links: list }, '$.orders'],
  // Deeper than is looked: rather no list than that of warnings.
  [{ a: { properties: { a: { properties: { orders: list } } } }, warnings: list }, undefined],
  [{ errors: list, total: {} }, '$.errors'],
  [{ links: shared, owner: { properties: { teams: list } } }, '$.links'],
  [{ links: leading, owner: { properties: { teams: list } } }, '$.owner.teams'],
] as const) {
  test(`of ${JSON.stringify(properties)} the list that is no report is ${path}`, () => {
    const { document, nature } = natureIn('/x', { responses: answer({ properties }) });
    assert.equal(answerList(document, nature.content)?.path, path);
  });
}
