import assert from 'node:assert/strict';
import test from 'node:test';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, list, natureIn, query } from '../described.ts';

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
    'a token with which a list is resumed, named alike on both sides',
    query('resume', 'limit'),
    answer({
      properties: { things: list, resume: { type: 'string' }, total: { type: 'integer' } },
    }),
    {
      style: 'cursor',
      request: { cursor: 'resume', limit: 'limit' },
      response: { next: '$.resume' },
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
    'a page whose next one has a header of its own, be it a number or a token',
    query('page', 'limit'),
    answer(list, { 'acme-next-page': { schema: { type: 'string' } } }),
    {
      style: 'cursor',
      request: { cursor: 'page', limit: 'limit' },
      response: { next_header: 'acme-next-page' },
    },
  ],
  [
    'the id of the last item, named for what it is of on both sides',
    query('page_size', 'start_after_thing_id'),
    answer({
      properties: {
        things: list,
        last_thing_id: { type: 'string' },
        has_more: { type: 'boolean' },
      },
    }),
    {
      style: 'cursor',
      request: { cursor: 'start_after_thing_id', limit: 'page_size' },
      response: { next: '$.last_thing_id', has_more: '$.has_more' },
    },
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
    'the address of the next page alone, where no parameter says where a page begins',
    query('api_version'),
    answer({ properties: { nextLink: { type: 'string' }, value: list } }),
    { style: 'next_url', response: { next: '$.nextLink' } },
  ],
  [
    'an address of what comes next beside no list',
    query('api_version'),
    answer({ properties: { nextLink: { type: 'string' }, id: { type: 'string' } } }),
    undefined,
  ],
  [
    'the address of the next page as OData names it, and no size: $top is that of the whole list',
    query('$top', '$skip'),
    answer({ properties: { '@odata.nextLink': { type: 'string' }, value: list } }),
    { style: 'next_url', response: { next: "$['@odata.nextLink']" } },
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
      first: 1,
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
  [
    'no number of an item where a start has an end',
    query('start', 'end', 'limit'),
    answer({ properties: { events: list } }),
    undefined,
  ],
  [
    'an address that an example shows, before a cursor that stands deeper',
    query('cursor', 'limit'),
    answer({
      properties: {
        meta: { properties: { cursors: { properties: { next: { type: 'string' } } } } },
        links: { properties: { next: { type: 'string', examples: ['https://x.example/?p=2'] } } },
        data: list,
      },
    }),
    { style: 'next_url', request: { limit: 'limit' }, response: { next: '$.links.next' } },
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

const whole = { type: 'integer' };
const springPage = answer({
  type: 'object',
  properties: {
    content: list,
    ...{ number: whole, size: whole, totalPages: whole, totalElements: whole },
  },
});

for (const [what, page, first] of [
  ['that nobody numbers begin at 0, as Spring Data has them', whole, 0],
  ['that begin at 1 by default do so', { ...whole, default: 1 }, undefined],
] as const) {
  test(`pages ${what}`, () => {
    const parameters = [{ name: 'page', in: 'query', schema: page }, ...query('size')];
    const { document, nature } = natureIn('/things', { parameters, responses: springPage });
    assert.equal(guessPagination(document, nature)?.first, first);
  });
}
