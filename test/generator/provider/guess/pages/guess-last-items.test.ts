import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../../generator/provider/draft/draft-operation.ts';
import { guessAuth } from '../../../../../generator/provider/guess/guess-auth.ts';
import { guessPagination } from '../../../../../generator/provider/guess/pages/guess-pagination.ts';
import { answer, natureIn, query } from '../described.ts';

const things = { type: 'array', items: { properties: { id: { type: 'string' } } } };
const told = (description: string) => [
  { name: 'after', in: 'query', description, schema: { type: 'string' } },
];

for (const [what, parameters, expected] of [
  [
    'is its id, whatever leads back',
    query('starting_after', 'ending_before', 'limit'),
    {
      style: 'cursor',
      request: { cursor: 'starting_after', limit: 'limit' },
      response: { next: '$[-1].id' },
    },
  ],
  [
    'is its id, where what leads on or back says that it does so by a page',
    query('pageAfter', 'pageBefore', 'pageSize'),
    {
      style: 'cursor',
      request: { cursor: 'pageAfter', limit: 'pageSize' },
      response: { next: '$[-1].id' },
    },
  ],
  [
    'is its id where nothing leads back',
    query('after'),
    { style: 'cursor', request: { cursor: 'after' }, response: { next: '$[-1].id' } },
  ],
  ['is not known where the order of the list decides', query('after', 'before'), undefined],
  [
    'comes from a Link header where the parameter says so',
    told('A cursor, as the [Link header](https://x.example) of a page has it'),
    { style: 'link_header', request: { cursor: 'after' } },
  ],
  [
    'comes from another header where the parameter says so',
    told('A cursor, which you get via the `X-Acme-Cursor-Next` header of an existing list'),
    {
      style: 'cursor',
      request: { cursor: 'after' },
      response: { next_header: 'X-Acme-Cursor-Next' },
    },
  ],
] as const) {
  test(`what a bare list continues after ${what}`, () => {
    const { document, nature } = natureIn('/a', { parameters, responses: answer(things) });
    assert.deepEqual(guessPagination(document, nature), expected);
  });
}

const thing = { type: 'object', properties: { id: { type: 'string' } } };
for (const [what, properties, next] of [
  ['the thing', { data: thing }, '$.data[-1].data.id'],
  ['the thing and its address', { thing, uri: { type: 'string' } }, '$.data[-1].thing.id'],
  ['two things', { thing, owner: thing }, undefined],
  ['a thing beside a name', { owner: thing, name: { type: 'string' } }, undefined],
] as const) {
  test(`items that hold ${what} are continued after ${next ?? 'nothing that is known'}`, () => {
    const data = { type: 'array', items: { type: 'object', properties } };
    const responses = answer({ type: 'object', properties: { data } });
    const { document, nature } = natureIn('/a', { parameters: query('starting_after'), responses });
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}

for (const [description, next] of [
  ['Where to start, after which to return results', '$.data[-1].id'],
  ['The first one to return', undefined],
] as const) {
  test(`"${description}" gives ${next ?? 'no place'} to an id where a page starts`, () => {
    const responses = answer({ properties: { data: things } });
    const parameters = [{ name: 'startId', in: 'query', description, schema: { type: 'string' } }];
    const { document, nature } = natureIn('/a', { parameters, responses });
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}

for (const [text, next] of [
  ["an item's token after which a page begins", '$.data[-1].token'],
  ['where a page begins', undefined],
] as const) {
  test(`items without an id are continued after ${text}`, () => {
    const items = { properties: { token: { type: 'string' }, name: { type: 'string' } } };
    const responses = answer({ properties: { data: { type: 'array', items } } });
    const cursor = { name: 'starting_after', in: 'query', description: text, schema: {} };
    const { document, nature } = natureIn('/a', { parameters: [cursor], responses });
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}

test('an offset is no marker, though answers that page in two ways name one', () => {
  const entries = { next_marker: { type: 'string' }, total_count: { type: 'integer' } };
  const responses = answer({ properties: { data: things, ...entries } });
  const { document, nature } = natureIn('/a', { parameters: query('offset', 'limit'), responses });
  assert.deepEqual(guessPagination(document, nature), {
    style: 'offset',
    request: { offset: 'offset', limit: 'limit' },
    response: { total: '$.total_count' },
  });
});

test('callers say where a bare list continues, though others page by the same name', () => {
  const usual = {
    style: 'cursor',
    request: { cursor: 'after', limit: 'limit' },
    response: { next: '$.users[-1].id' },
  } as const;
  const parameters = query('after', 'before', 'limit');
  const { document, nature } = natureIn('/a', { parameters, responses: answer(things) });
  const auth = guessAuth(document, 'acme');
  const choices = { name: 'acme_a_list', usual, auth, texts: true };
  assert.deepEqual(draftOperation(document, nature, choices).pagination, { style: 'none' });
});

for (const [what, required, next] of [
  ['one of the things that are looked for by', ['after'], undefined],
  ['no more than where a page begins', [], '$.data[-1].id'],
] as const) {
  test(`what a search calls "after" is ${what} where its forms ${next ? 'do not ' : ''}demand it`, () => {
    const form = (name: string, demanded: readonly string[]) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: demanded,
    });
    const oneOf = [form('contains', ['contains']), form('after', required)];
    const requestBody = { content: { 'application/json': { schema: { type: 'object', oneOf } } } };
    const responses = answer({ properties: { data: things } });
    const operation = { operationId: 'searchThings', requestBody, responses };
    const { document, nature } = natureIn('/things/search', operation, 'post');
    assert.equal(guessPagination(document, nature)?.response?.next, next);
  });
}
