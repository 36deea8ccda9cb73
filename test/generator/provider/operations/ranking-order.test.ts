import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { rankOperations } from '../../../../generator/provider/operations/choose-operations.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import { answer, documentOf, list } from '../guess/described.ts';

const lists = { get: { responses: answer(list) } };
const _sent = (...names: string[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { content: { 'application/json': { schema: { type: 'object', properties } } } };
};
const makes = { post: { responses: answer({ type: 'object' }) } };

/** The routes of a description, as they are put in order. */
function ranked(paths: object): string[] {
  const document = documentOf({ paths });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const { first } = rankOperations(document, natures, new Map());
  return first.map(({ operation: { method, path } }) => `${method} ${path}`);
}

test('sending makes what is sent, and comes before making what is spoken of less', () => {
  const order = ranked({
    '/boxes/{id}/messages': { get: { summary: 'List messages', ...lists.get } },
    '/boxes/{id}/messages/{message_id}': { get: { summary: 'Read a message', ...makes.post } },
    '/boxes/{id}/messages/send': { post: { summary: 'Send a message', ...makes.post } },
    '/boxes/{id}/messages/{message_id}/reply': {
      post: { summary: 'Reply to a message', ...makes.post },
    },
    '/boxes/{id}/rules': {
      get: { summary: 'List rules', ...lists.get },
      post: { summary: 'Create a rule', ...makes.post },
    },
  });
  const writes = order.filter((each) => each.startsWith('POST'));
  assert.equal(writes[0], 'POST /boxes/{id}/messages/send', writes.join('\n'));
});

test('what stands for itself fills the room behind what is read, where eight others change something', () => {
  const acts = ['sum', 'mean', 'rank', 'hash', 'trim', 'fold', 'join', 'zip', 'sort', 'split'];
  const paths = Object.fromEntries(acts.map((act) => [`/${act}`, makes]));
  const order = ranked({ ...paths, '/models': lists });
  assert.equal(order.length, acts.length + 1);
  assert.deepEqual(
    order.slice(-2).map((each) => each.split(' ')[0]),
    ['POST', 'POST'],
  );
});

test('lists of one kind below several things come behind another kind', () => {
  const parents = ['projects', 'tasks', 'users', 'documents'];
  const paths = Object.fromEntries(parents.map((each) => [`/${each}/{id}/files`, lists]));
  const order = ranked({ ...paths, '/rooms/{id}/chairs': lists });
  assert.notEqual(order.at(-1), 'GET /rooms/{id}/chairs', order.join('\n'));
});

test('how many there are comes behind one of them', () => {
  const order = ranked({
    '/cards': lists,
    '/cards/{id}': { get: makes.post },
    '/cards/count': { get: makes.post },
    '/decks/filter': { post: { summary: 'Query decks', ...lists.get } },
    '/decks/count': { post: { summary: 'Count decks', ...makes.post } },
    '/decks/{id}': { get: makes.post },
  });
  const places = order.map((each) => each.endsWith('/count'));
  assert.deepEqual(places, [false, false, false, false, true, true], order.join('\n'));
});

test('how parts of a server are is none of the first reads where five others read', () => {
  const kinds = ['boxes', 'chairs', 'doors', 'lamps', 'rooms'];
  const one = { get: makes.post };
  const house = { '/status/store': one, '/feed/config': one };
  const told = (kind: string) => ({ get: { summary: `List ${kind}`, ...lists.get } });
  const paths = Object.fromEntries(kinds.map((kind) => [`/${kind}`, told(kind)]));
  assert.equal(ranked({ ...paths, ...house }).length, kinds.length);
  assert.equal(ranked({ '/boxes': told('boxes'), ...house }).length, 3);
});

test('a list that says nothing of its answer is among the first where one of its things does', () => {
  const untold = { get: { responses: { 200: { description: 'All of them' } } } };
  const others = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/${name}`, lists]));
  const order = ranked({
    ...others,
    '/beds': untold,
    '/beds/{id}': { get: makes.post },
    '/doors': untold,
    '/plans': { get: { responses: { 200: { description: 'x', content: { 'image/png': {} } } } } },
    '/plans/{id}': { get: makes.post },
  });
  assert.equal(order.includes('GET /beds'), true);
  assert.equal(order.includes('GET /doors'), false);
  assert.equal(order.includes('GET /plans'), false);
});
