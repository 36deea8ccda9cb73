import assert from 'node:assert/strict';
import test from 'node:test';
import type { CuratedPagination } from '../../../../../generator/model/shape/curation.ts';
import { draftOperation } from '../../../../../generator/provider/draft/draft-operation.ts';
import { credentialTest } from '../../../../../generator/provider/guess/credential-names.ts';
import { guessAuth } from '../../../../../generator/provider/guess/guess-auth.ts';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { pageObstacle } from '../../../../../generator/provider/guess/pages/page-obstacle.ts';
import { answer, list, natureIn, query } from '../described.ts';

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
  const day = { in: 'query', schema: { type: 'string', format: 'date' } };
  assert.equal(obstacle([{ ...day, name: 'done_on.after' }]), undefined, 'a filter');
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

for (const [what, responses, usual] of [
  [
    'a Link header',
    answer(list, { Link: { schema: { type: 'string' } } }),
    { style: 'link_header' },
  ],
  [
    'the address of its next page',
    answer({ properties: { things: list, next_url: { type: 'string' } } }),
    { style: 'next_url', response: { next: '$.next_url' } },
  ],
] as const) {
  test(`an operation that pages by ${what} alone says so, though it is usual`, () => {
    const { document, nature } = natureIn('/a', { responses });
    const auth = guessAuth(document, 'acme');
    const drafted = (shared: CuratedPagination) =>
      draftOperation(document, nature, { name: 'acme_a_list', usual: shared, auth, texts: true });
    assert.deepEqual(drafted(usual).pagination, usual);
    const limited = { ...usual, request: { limit: 'limit' } };
    assert.deepEqual(drafted(limited).pagination, usual, 'others have a size');
  });
}

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

test('one thing is no list, though others page by what it takes, and its links lead on', () => {
  const usual = {
    style: 'link_header',
    request: { cursor: 'next_token', limit: 'per_page' },
  } as const;
  const parameters = [...query('per_page'), { name: 'next_token', in: 'query', schema: {} }];
  const drafted = (path: string, schema: object, headers = {}) => {
    const { document, nature } = natureIn(path, { parameters, responses: answer(schema, headers) });
    const auth = guessAuth(document, 'acme');
    const choices = { name: 'acme_get', usual, auth, texts: true };
    return draftOperation(document, nature, choices).pagination;
  };
  const map = { additionalProperties: { type: 'object', properties: { placed: list } } };
  const deployment = { properties: { id: { type: 'string' }, groups: map } };
  const link = { Link: { schema: { type: 'string' } } };
  assert.deepEqual(drafted('/deployments/{id}', deployment, link), { style: 'none' });
  const settings = { properties: { limits: { properties: { most: { type: 'integer' } } } } };
  assert.deepEqual(drafted('/settings', settings, link), { style: 'none' });
  const next = { properties: { next: { properties: { href: { type: 'string' } } } } };
  const step = { properties: { stage: { type: 'string' }, _links: next, messages: list } };
  const { document, nature } = natureIn('/payments/{id}', { responses: answer(step) });
  assert.equal(guessPagination(document, nature), undefined);
  assert.equal(drafted('/deployments', list, link), undefined, 'as is usual');
});

test('what a path names in the end may hold a list of pages all the same', () => {
  const metadata = { properties: { continue: { type: 'string' }, revision: { type: 'string' } } };
  const { document, nature } = natureIn('/jobs/{namespace}', {
    parameters: query('continue', 'limit'),
    responses: answer({ properties: { version: { type: 'string' }, metadata, items: list } }),
  });
  assert.deepEqual(guessPagination(document, nature)?.response, { next: '$.metadata.continue' });
});

test('the only list of an answer is not counted where the path is named after something else in it', () => {
  const lists = { properties: { booked: list, pending: list } };
  const members = { account: { type: 'object' }, transactions: lists, balances: list };
  const paged = (path: string) => {
    const responses = answer({ properties: members });
    const { document, nature } = natureIn(path, { parameters: query('pageIndex'), responses });
    return guessPagination(document, nature);
  };
  assert.equal(paged('/accounts/{id}/transactions'), undefined);
  assert.deepEqual(paged('/accounts/{id}/balances'), {
    style: 'page',
    request: { page: 'pageIndex' },
    response: { counted: '$.balances' },
  });
});

test('who counts pages of an answer that nobody describes is its caller', () => {
  const paged = (type: string, schema: object) => {
    const responses = { 200: { description: 'ok', content: { [type]: { schema } } } };
    const { document, nature } = natureIn('/a', { parameters: query('page', 'limit'), responses });
    return guessPagination(document, nature);
  };
  assert.equal(paged('application/xml', { properties: { things: list } }), undefined);
  assert.equal(paged('application/json', { properties: { b: list, c: list } }), undefined);
  assert.notEqual(paged('application/json', { properties: { a: list } }), undefined);
});

test('of several lists the one that the path is named after is counted', () => {
  const responses = answer({ properties: { Warnings: list, Journals: list } });
  const parameters = [{ name: 'offset', in: 'query', schema: { type: 'integer' } }];
  const { document, nature } = natureIn('/Journals', { parameters, responses });
  assert.deepEqual(guessPagination(document, nature), {
    style: 'offset',
    request: { offset: 'offset' },
    response: { counted: '$.Journals' },
  });
});

for (const [member, why] of [
  [{ next_marker: { type: 'string' } }, /^the answer names "next_marker", and nothing /],
  [{ has_more: { type: 'boolean' } }, /^the answer tells of more pages \(\$\.has_more\), /],
  [{ total_count: { type: 'integer' } }, undefined],
] as const) {
  test(`an answer with ${Object.keys(member)} tells of pages that nothing asks for: ${why}`, () => {
    const responses = answer({ properties: { entries: list, ...member } });
    const { document, nature } = natureIn('/locks', { parameters: query('folder'), responses });
    const obstacle = pageObstacle(document, nature);
    if (why === undefined) assert.equal(obstacle, undefined);
    else assert.match(obstacle ?? '', why);
    const parameters = [{ name: 'since_time', in: 'query', schema: { type: 'string' } }];
    const { document: other, nature: timed } = natureIn('/locks', { parameters, responses });
    assert.equal(pageObstacle(other, timed), undefined, 'its caller goes on');
  });
}

for (const [what, parameters, headers, why] of [
  [
    'two parts of a key',
    query('last_id', 'last_ts', 'limit'),
    {},
    /^"last_id" and "last_ts" go on together, /,
  ],
  [
    'a header that no answer gives',
    [{ name: 'x-continuation', in: 'header', schema: { type: 'string' } }],
    {},
    /^the header "x-continuation" says where a page begins, and nothing of /,
  ],
  [
    'a header with the number of the page',
    [{ name: 'X-Page', in: 'header', schema: { type: 'integer' } }],
    {},
    /^the header "X-Page" says where a page begins, which no cursor fills$/,
  ],
  [
    'a part of all items',
    [],
    { 'Content-Range': {} },
    /^the answer tells of more pages \(Content-R/,
  ],
  [
    'how many pages there are',
    [],
    { 'X-Total-Pages': {} },
    /^the answer tells of more pages \(X-T/,
  ],
  ['what is after an id or after a time', query('after_id', 'after_time'), {}, /"after_id"$/],
  ['a range that callers give', query('range'), { 'Content-Range': {} }, undefined],
] as const) {
  test(`why there is no second page by ${what}: ${why}`, () => {
    const responses = answer({ properties: { items: list, took: { type: 'integer' } } }, headers);
    const { document, nature } = natureIn('/things', { parameters, responses });
    assert.equal(guessPagination(document, nature), undefined);
    const obstacle = pageObstacle(document, nature);
    if (why === undefined) assert.equal(obstacle, undefined);
    else assert.match(obstacle ?? '', why);
  });
}

test('what comes next and is said to be a pointer is no address', () => {
  const paged = (next: object) => {
    const responses = answer({ properties: { results: list, next: { type: 'string', ...next } } });
    const { document, nature } = natureIn('/trades', { parameters: query('size'), responses });
    return [guessPagination(document, nature)?.style, pageObstacle(document, nature)];
  };
  const why = 'the answer names "next", and nothing is described that takes it';
  assert.deepEqual(paged({ description: 'The pointer to fetch the next set' }), [undefined, why]);
  assert.deepEqual(paged({ description: 'Next', example: 'eyJmaWx0ZXIiMQ==' }), [undefined, why]);
  assert.deepEqual(paged({ description: 'Next page', example: '/trades?at=2' }), [
    'next_url',
    undefined,
  ]);
  assert.deepEqual(paged({}), ['next_url', undefined]);
});

test('the next step of one thing, and a cursor in it, are of no list that is a part of it', () => {
  const text = { type: 'string' };
  const paged = (path: string, properties: object) => {
    const { document, nature } = natureIn(path, { responses: answer({ properties }) });
    return [guessPagination(document, nature)?.style, pageObstacle(document, nature)];
  };
  const readiness = { properties: { actions: list, next: text } };
  const none = [undefined, undefined];
  assert.deepEqual(paged('/account', { id: text, email: text, readiness }), none);
  assert.deepEqual(paged('/account', { email: text, readiness }), none);
  assert.deepEqual(
    paged('/account', { id: text, email: text, roles: list, next_token: text }),
    none,
  );
  const [style, obstacle] = paged('/roles', { id: text, roles: list, next_token: text });
  assert.equal(style, undefined);
  assert.match(obstacle ?? '', /the answer names "next_token"/);
  assert.equal(paged('/roles', { count: text, roles: list, next: text })[0], 'next_url');
});

test('the id of a page that has to be named says nothing of where a list goes on', () => {
  const responses = answer({ properties: { images: list } });
  const [id] = query('pageid');
  for (const [required, why] of [
    [true, undefined],
    [false, 'nothing in the answer is described as the next "pageid"'],
  ] as const) {
    const { document, nature } = natureIn('/site', {
      parameters: [{ ...id, required }],
      responses,
    });
    assert.equal(pageObstacle(document, nature), why);
  }
});
