import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { credentialTest } from '../../../../generator/provider/guess/credential-names.ts';
import { guessAuth } from '../../../../generator/provider/guess/guess-auth.ts';
import {
  guessPagination,
  pageObstacle,
} from '../../../../generator/provider/guess/guess-pagination.ts';
import { answer, list, natureIn, query } from './described.ts';

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
