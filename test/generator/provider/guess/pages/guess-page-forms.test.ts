import assert from 'node:assert/strict';
import test from 'node:test';
import {
  guessPagination,
  guessWrap,
} from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { otherMembers } from '../../../../../generator/provider/guess/pages/page-alternatives.ts';
import { pageObstacle } from '../../../../../generator/provider/guess/pages/page-obstacle.ts';
import { guessItems } from '../../../../../generator/provider/guess/pages/told-list.ts';
import { answer, list, natureIn, query } from '../described.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };

/** A search whose page takes one of several forms. */
function search(keyword: 'oneOf' | 'anyOf', forms: readonly object[]) {
  const page = { type: 'object', [keyword]: forms };
  const properties = { q: text, page };
  const requestBody = { content: { 'application/json': { schema: { properties } } } };
  const responses = answer({
    properties: { items: list, page: { properties: { endCursor: text } } },
  });
  return natureIn('/things/search', { requestBody, responses }, 'post');
}

const closed = { additionalProperties: false };
const byOffset = { properties: { from: whole, limit: whole } };
const forward = { properties: { after: text, limit: whole } };
const backward = { properties: { before: text, limit: whole } };
const cursor = { cursor: 'after', limit: 'limit' };
const offset = { offset: 'from', limit: 'limit' };

for (const [what, keyword, forms, request, others] of [
  [
    'a cursor where the form that has it demands it',
    'oneOf',
    [
      { ...byOffset, ...closed },
      { ...forward, ...closed, required: ['after'] },
      { ...backward, ...closed, required: ['before'] },
    ],
    cursor,
    ['from', 'before'],
  ],
  [
    'counting where the first request of a cursor could be of each form',
    'oneOf',
    [byOffset, forward, backward].map((form) => ({ ...form, ...closed })),
    offset,
    ['after', 'before'],
  ],
  [
    'counting where a form that counts takes a cursor, too',
    'oneOf',
    [byOffset, { ...forward, required: ['after'] }, { ...backward, required: ['before'] }],
    offset,
    ['after', 'before'],
  ],
  [
    'a cursor where any form may fit',
    'anyOf',
    [byOffset, forward, backward],
    cursor,
    ['from', 'before'],
  ],
  [
    'a cursor where no way is of one form alone',
    'oneOf',
    [byOffset, forward, backward],
    cursor,
    ['from', 'before'],
  ],
] as const) {
  test(`a page of several forms goes on by ${what}`, () => {
    const { document, nature } = search(keyword, forms);
    const guess = guessPagination(document, nature);
    assert.ok(guess);
    assert.deepEqual(guess.request, request);
    assert.equal(guessWrap(document, nature), 'page');
    assert.deepEqual(otherMembers(document, nature, guess, 'page'), others);
  });
}

test('a member of another form stays an argument where the body itself has one of that name', () => {
  const forms = [
    { ...byOffset, ...closed },
    { ...forward, ...closed, required: ['after'] },
  ];
  const schema = { properties: { from: text, page: { type: 'object', oneOf: forms } } };
  const requestBody = { content: { 'application/json': { schema } } };
  const responses = answer({
    properties: { items: list, page: { properties: { endCursor: text } } },
  });
  const { document, nature } = natureIn('/things/search', { requestBody, responses }, 'post');
  const guess = { style: 'token_body', request: cursor } as const;
  assert.deepEqual(otherMembers(document, nature, guess, 'page'), []);
});

const tokens = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const textual = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: text }));

for (const [what, parameters, members, expected] of [
  [
    'a token of pages, not one for what has changed since',
    textual('nextSyncToken', 'nextPageToken'),
    tokens('nextSyncToken', 'nextPageToken'),
    'nextPageToken',
  ],
  [
    'nothing where a token for changes alone is taken, and pages have one of their own',
    textual('sync_token'),
    { ...tokens('next_sync_token', 'next_page_token'), has_more: { type: 'boolean' } },
    undefined,
  ],
  [
    'nothing where the answer does not say that more changes follow',
    textual('syncToken'),
    tokens('nextSyncToken'),
    undefined,
  ],
  [
    'a token for changes where the answer says that more of them follow',
    textual('next_sync_token'),
    { ...tokens('next_sync_token'), has_more: { type: 'boolean' } },
    'next_sync_token',
  ],
] as const) {
  test(`a list goes on by ${what}`, () => {
    const responses = answer({ properties: { items: list, ...members } });
    const { document, nature } = natureIn('/events', { parameters, responses });
    assert.equal(guessPagination(document, nature)?.request?.cursor, expected);
  });
}

test('a token for changes hides no obstacle where pages cannot be asked for', () => {
  const responses = answer({
    properties: { items: list, ...tokens('nextSyncToken', 'nextPageToken') },
  });
  const { document, nature } = natureIn('/events', {
    parameters: textual('nextSyncToken'),
    responses,
  });
  assert.match(pageObstacle(document, nature) ?? '', /"nextPageToken", and nothing is described/);
});

const counted = { offset: 'offset', limit: 'limit' };
const inQuery = (name: string, schema: object, more = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});

for (const [what, parameter, beside, expected] of [
  [
    'an object that is written out',
    inQuery('query', { properties: { offset: whole, limit: whole, name: text } }),
    [],
    counted,
  ],
  [
    'one that is put together',
    inQuery('paging', {
      allOf: [{ properties: { offset: whole } }, { properties: { limit: whole } }],
    }),
    [],
    counted,
  ],
  [
    'an object in brackets',
    inQuery('list', { properties: { offset: whole, limit: whole } }, { style: 'deepObject' }),
    [],
    { offset: 'list[offset]', limit: 'list[limit]' },
  ],
  [
    'no object beside a parameter of the same name',
    inQuery('query', { properties: { offset: whole, limit: whole } }),
    query('limit'),
    undefined,
  ],
  [
    'no object with several forms',
    inQuery('query', { oneOf: [{ properties: { offset: whole, limit: whole } }] }),
    [],
    undefined,
  ],
  [
    'no object that is one value',
    inQuery('query', { properties: { offset: whole, limit: whole } }, { explode: false }),
    [],
    undefined,
  ],
  ['no object without a size', inQuery('query', { properties: { offset: whole } }), [], undefined],
] as const) {
  test(`a list goes on by the members of ${what}`, () => {
    const parameters = [parameter, ...beside];
    const { document, nature } = natureIn('/things', { parameters, responses: answer(list) });
    assert.deepEqual(guessPagination(document, nature)?.request, expected);
  });
}

const startsAt = (schema: object) => [
  { name: 'start', in: 'query', schema },
  { name: 'limit', in: 'query', schema: { ...text, default: '50' } },
];

for (const [what, members, expected] of [
  ['among what failed', { members: list, errors: list }, '$.members'],
  [
    'below what holds both',
    { data: { properties: { members: list, failed_items: list } } },
    '$.data.members',
  ],
  ['alone, beside more than the page', { failed_items: list, total_done: whole }, undefined],
] as const) {
  test(`pages count the list that stands ${what}, and nothing is taken away`, () => {
    const responses = answer({ properties: members });
    const { document, nature } = natureIn('/things', { parameters: startsAt(whole), responses });
    assert.equal(guessItems(document, nature), undefined);
    assert.equal(guessPagination(document, nature)?.response?.counted, expected);
  });
}

for (const [schema, offset] of [
  [{ ...text, default: '0' }, 'start'],
  [{ ...text, default: 'monday' }, undefined],
  [text, undefined],
] as const) {
  test(`a text of ${JSON.stringify(schema)} ${offset ? 'counts' : 'does not count'}`, () => {
    const responses = answer({ properties: { items: list, total: whole } });
    const { document, nature } = natureIn('/things', { parameters: startsAt(schema), responses });
    assert.equal(guessPagination(document, nature)?.request?.offset, offset);
  });
}

for (const [what, second, expected] of [
  ['counts the list', 'entries', '$.entries'],
  ['counts none of two lists', 'links', undefined],
] as const) {
  test(`an answer of two forms ${what}`, () => {
    const forms = ['entries', second].map((name) => ({ properties: { [name]: list, type: text } }));
    const { document, nature } = natureIn('/search', {
      parameters: startsAt(whole),
      responses: answer({ oneOf: forms }),
    });
    assert.equal(guessItems(document, nature), undefined);
    assert.equal(guessPagination(document, nature)?.response?.counted, expected);
  });
}
