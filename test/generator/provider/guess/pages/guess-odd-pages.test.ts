import assert from 'node:assert/strict';
import test from 'node:test';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, list, natureIn, query } from '../described.ts';

for (const [what, parameters, responses, expected] of [
  [
    'a cursor that begins at 1, beside which the answer says which of how many pages it is',
    [
      {
        name: 'cursor',
        in: 'query',
        schema: { anyOf: [{ not: {} }, { type: 'integer', minimum: 1 }], default: 1 },
      },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
    ],
    answer({
      properties: {
        results: list,
        page: { type: 'integer' },
        totalPages: { type: 'integer' },
        totalResults: { type: 'integer' },
      },
    }),
    {
      style: 'page',
      request: { page: 'cursor', limit: 'limit' },
      response: { total: '$.totalResults' },
    },
  ],
  [
    'pages that are counted, and a "next" that may be an address as well as a number',
    query('page', 'limit'),
    answer({ properties: { items: list, next: { type: 'string' } } }),
    { style: 'page', request: { page: 'page', limit: 'limit' }, response: { next: '$.next' } },
  ],
  [
    'pages whose names are texts, and such a "next"',
    [{ name: 'page', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { items: list, next_page: { type: 'string' } } }),
    { style: 'next_url', request: { page: 'page' }, response: { next: '$.next_page' } },
  ],
  [
    'items that are counted beside a cursor that is always null',
    query('offset', 'limit'),
    answer({
      properties: {
        items: list,
        pagination: {
          properties: { has_next: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } },
        },
      },
    }),
    {
      style: 'offset',
      request: { offset: 'offset', limit: 'limit' },
      response: { has_more: '$.pagination.has_next' },
    },
  ],
  [
    'the same of an offset that is any number',
    query('skip', 'take').map((each) => ({ ...each, schema: { type: 'number' } })),
    answer({
      properties: {
        data: list,
        pagination: {
          properties: {
            totalRecords: { type: 'number' },
            nextCursor: { type: 'string', nullable: true },
          },
        },
      },
    }),
    {
      style: 'offset',
      request: { offset: 'skip', limit: 'take' },
      response: { total: '$.pagination.totalRecords' },
    },
  ],
  [
    'the same of an offset that may be null',
    query('offset', 'limit').map((each) => ({
      ...each,
      schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    })),
    answer({ properties: { items: list, total: { type: 'integer' }, next_cursor: {} } }),
    {
      style: 'offset',
      request: { offset: 'offset', limit: 'limit' },
      response: { total: '$.total' },
    },
  ],
  [
    'the id of a cursor, which takes the next cursor',
    [
      { name: 'cursorId', in: 'query', schema: { type: 'string' } },
      ...query('skip', 'take').map((each) => ({ ...each, schema: { type: 'number' } })),
    ],
    answer({
      properties: { data: list, pagination: { properties: { nextCursor: { type: 'string' } } } },
    }),
    {
      style: 'cursor',
      request: { cursor: 'cursorId', limit: 'take' },
      response: { next: '$.pagination.nextCursor' },
    },
  ],
  [
    'the same of a cursor of no type',
    query('offset', 'limit'),
    answer({ properties: { items: list, total: { type: 'integer' }, next_cursor: {} } }),
    {
      style: 'offset',
      request: { offset: 'offset', limit: 'limit' },
      response: { total: '$.total' },
    },
  ],
  [
    'pages beside an id that leads on only with an order',
    [
      {
        name: 'after',
        in: 'query',
        description: 'The value to get results after. This needs `order_key` defined.',
        schema: { type: 'string' },
      },
      ...query('page', 'per_page'),
    ],
    answer({
      properties: { things: { type: 'array', items: { properties: { id: { type: 'integer' } } } } },
    }),
    { style: 'page', request: { page: 'page', limit: 'per_page' } },
  ],
  [
    'a token that comes in a header and goes out in one',
    [{ name: 'x-acme-continuation', in: 'header', schema: { type: 'string' } }, ...query('limit')],
    answer({ properties: { items: list } }, { 'X-Acme-Continuation': {} }),
    {
      style: 'cursor',
      request: { cursor: 'x-acme-continuation', limit: 'limit' },
      response: { next_header: 'X-Acme-Continuation' },
    },
  ],
  [
    'a token that comes in the answer and goes out in a header',
    [{ name: 'x-continuation-token', in: 'header', schema: { type: 'string' } }, ...query('limit')],
    answer({ properties: { items: list, continuationToken: { type: 'string' } } }),
    {
      style: 'cursor',
      request: { cursor: 'x-continuation-token', limit: 'limit' },
      response: { next: '$.continuationToken' },
    },
  ],
  [
    'the number of a page in Portuguese',
    query('paginacao.paginaAtual', 'paginacao.itensPorPagina'),
    answer({
      properties: {
        portas: list,
        paginacao: { properties: { quantidadeDePaginas: { type: 'integer' } } },
      },
    }),
    {
      style: 'page',
      request: { page: 'paginacao.paginaAtual', limit: 'paginacao.itensPorPagina' },
      response: { counted: '$.portas', pages: '$.paginacao.quantidadeDePaginas' },
    },
  ],
  [
    'the number of a page in German, with the total in Spanish',
    query('seite', 'limite'),
    answer({
      properties: {
        items: list,
        paginacion: { properties: { totalRegistros: { type: 'integer' } } },
      },
    }),
    {
      style: 'page',
      request: { page: 'seite', limit: 'limite' },
      response: { counted: '$.items', total: '$.paginacion.totalRegistros' },
    },
  ],
  [
    'the same where the total tells the end',
    query('page', 'limit'),
    answer({
      properties: { items: list, next: { type: 'string' }, total: { type: 'integer' } },
    }),
    {
      style: 'page',
      request: { page: 'page', limit: 'limit' },
      response: { total: '$.total' },
    },
  ],
  [
    'items that are counted, and such a "next"',
    query('offset', 'limit'),
    answer({ properties: { items: list, next: { type: ['string', 'null'] } } }),
    {
      style: 'next_url',
      request: { offset: 'offset', limit: 'limit' },
      response: { next: '$.next' },
    },
  ],
  [
    'items that are counted beside the number of the next page',
    query('offset', 'limit'),
    answer({
      properties: {
        rows: list,
        pagination: { type: 'object', properties: { next_page: { type: 'integer' } } },
      },
    }),
    {
      style: 'offset',
      request: { offset: 'offset', limit: 'limit' },
    },
  ],
  [
    'a start that is a text, and such a "next"',
    query('start', 'limit'),
    answer({ properties: { items: list, next: { type: 'string' } } }),
    {
      style: 'next_url',
      request: { offset: 'start', limit: 'limit' },
      response: { next: '$.next' },
    },
  ],
  [
    'links of JSON:API, where a member of no format is an address',
    query('page[number]', 'page[size]'),
    answer({ properties: { data: list, links: { properties: { next: { type: 'string' } } } } }),
    { style: 'next_url', request: { limit: 'page[size]' }, response: { next: '$.links.next' } },
  ],
  [
    'the page of Hydra, and of OData before it had an @',
    query('page'),
    answer({
      properties: {
        'hydra:member': list,
        'hydra:view': { properties: { 'hydra:next': { type: 'string' } } },
      },
    }),
    { style: 'next_url', response: { next: "$['hydra:view']['hydra:next']" } },
  ],
  [
    'what comes next, where no parameter takes anything',
    [],
    answer({ properties: { data: list, next: { type: 'string' } } }),
    { style: 'next_url', response: { next: '$.next' } },
  ],
  [
    'an offset that is a text and given by the answer',
    [...query('pageSize'), { name: 'offset', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { records: list, offset: { type: 'string' } } }),
    {
      style: 'cursor',
      request: { cursor: 'offset', limit: 'pageSize' },
      response: { next: '$.offset' },
    },
  ],
  [
    'an offset that the answer only repeats',
    [...query('limit'), { name: 'offset', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { data: list, offset: { type: 'string' }, limit: { type: 'string' } } }),
    { style: 'offset', request: { offset: 'offset', limit: 'limit' } },
  ],
  [
    'a search after the values of an item',
    query('search-after', 'limit'),
    answer({
      properties: { data: list, summary: { properties: { 'search-after': { type: 'string' } } } },
    }),
    {
      style: 'cursor',
      request: { cursor: 'search-after', limit: 'limit' },
      response: { next: '$.summary.search-after' },
    },
  ],
  [
    'the next record, named for what it is of',
    query('next_record_id', 'limit'),
    answer({ properties: { usage: list, metadata: { properties: { next_record_id: {} } } } }),
    {
      style: 'cursor',
      request: { cursor: 'next_record_id', limit: 'limit' },
      response: { next: '$.metadata.next_record_id' },
    },
  ],
  [
    'a number of an item beside a time with a start and an end',
    query('start', 'end', 'from', 'size'),
    answer({ properties: { events: list } }),
    { style: 'offset', request: { offset: 'from', limit: 'size' } },
  ],
  [
    'a marker that is said to be the last id',
    [
      ...query('limit'),
      { name: 'marker', in: 'query', description: 'The ID of the last-seen item', schema: {} },
    ],
    answer({
      properties: { things: { type: 'array', items: { properties: { id: { type: 'string' } } } } },
    }),
    {
      style: 'cursor',
      request: { cursor: 'marker', limit: 'limit' },
      response: { next: '$.things[-1].id' },
    },
  ],
  [
    'a position whose next one is told',
    [...query('limit'), { name: 'stream_position', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { entries: list, next_stream_position: { type: 'string' } } }),
    {
      style: 'cursor',
      request: { cursor: 'stream_position', limit: 'limit' },
      response: { next: '$.next_stream_position' },
    },
  ],
  [
    'the last document, of which the answer tells the next',
    [{ name: 'last_doc', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { calls: list, next_doc: { type: 'string' } } }),
    { style: 'cursor', request: { cursor: 'last_doc' }, response: { next: '$.next_doc' } },
  ],
  [
    'an anchor, of which the answer tells that of the next page',
    [{ name: 'anchor', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { players: list, nextPageAnchor: { type: 'string' } } }),
    { style: 'cursor', request: { cursor: 'anchor' }, response: { next: '$.nextPageAnchor' } },
  ],
  [
    'a row to start at, whatever the size of a page is called',
    query('startRow', 'rowsPerRead'),
    answer(list),
    { style: 'offset', request: { offset: 'startRow', limit: 'rowsPerRead' } },
  ],
  [
    'a list that is named as what holds it, beside another one and a total of something else',
    query('from', 'size'),
    answer({
      properties: {
        _shards: { properties: { total: { type: 'integer' } } },
        hits: { properties: { hits: list } },
        warnings: list,
      },
    }),
    {
      style: 'offset',
      request: { offset: 'from', limit: 'size' },
      response: { counted: '$.hits.hits' },
    },
  ],
  [
    'no page of a book that takes things out',
    [
      {
        name: 'page_number',
        in: 'query',
        schema: { type: 'integer' },
        description: 'Filter verses to a page of the book',
      },
    ],
    answer({ properties: { verses: list } }),
    undefined,
  ],
  [
    'no day whose next one is told',
    [{ name: 'run_date', in: 'query', schema: { type: 'string' } }],
    answer({ properties: { runs: list, next_run_date: { type: 'string' } } }),
    undefined,
  ],
] as const) {
  test(`pagination is guessed from ${what}`, () => {
    const { document, nature } = natureIn('/a', { parameters, responses });
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}
