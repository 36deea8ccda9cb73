import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { rankOperations } from '../../../../generator/provider/operations/choose-operations.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import { twinsOf } from '../../../../generator/provider/operations/operation-twins.ts';
import { answer, documentOf, list, query } from './described.ts';

const pages = query('page', 'page_size');

/** Methods and paths of what stays off beside another operation at `/balances`. */
function offOf(get: object, post: object): string[] {
  const bodyOf = (schema: object) => ({ content: { 'application/json': { schema } } });
  const document = documentOf({
    paths: {
      '/balances': { get: { summary: 'Get all balances', responses: answer(list), ...get } },
      '/balances/search': {
        post: {
          ...{ summary: 'Search balances', parameters: pages, responses: answer(list) },
          requestBody: bodyOf(post),
        },
      },
    },
  });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  return [...twinsOf(document, natures).keys()].map(({ operation }) => operation.method);
}

const ids = { type: 'object', properties: { account_ids: { type: 'array' } } };

test('a search that takes what a list takes, and more, is enough', () => {
  assert.deepEqual(offOf({ parameters: pages }, ids), ['GET']);
});

test('a search that demands the ids of what it gives does not stand for the list of all', () => {
  assert.deepEqual(offOf({ parameters: pages }, { ...ids, required: ['account_ids'] }), []);
});

test('a search that demands what the list takes, too, is enough', () => {
  const parameters = query('account_ids', 'page', 'page_size');
  const properties = { ...ids.properties, state: { type: 'string' } };
  const post = { ...ids, properties, required: ['account_ids'] };
  assert.deepEqual(offOf({ parameters }, post), ['GET']);
});

test('of a list whose GET takes a body the POST is enough', () => {
  const content = { content: { 'application/json': { schema: { type: 'object' } } } };
  const get = {
    parameters: query('account_ids', 'page', 'page_size', 'state'),
    requestBody: content,
  };
  assert.deepEqual(offOf(get, ids), ['GET']);
});

test('what asks by POST for what a GET with a body gives comes behind other reads', () => {
  const content = { content: { 'application/json': { schema: { type: 'object' } } } };
  const parameters = query('state');
  const counts = {
    summary: 'Count plants',
    parameters,
    requestBody: content,
    responses: answer(list),
  };
  const document = documentOf({
    paths: {
      '/pots': { get: { summary: 'List pots', responses: answer(list) } },
      '/plants': { get: counts, post: counts },
      '/vases': {
        get: { summary: 'List vases', responses: answer(list) },
        post: { summary: 'Create a vase' },
      },
    },
  });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const { first } = rankOperations(document, natures, twinsOf(document, natures));
  const order = first.map(({ operation: { method, path } }) => `${method} ${path}`);
  assert.ok(order.indexOf('POST /plants') > order.indexOf('GET /vases'), order.join());
});

test('a question by POST whose name is that of a GET with the method behind it stays off', () => {
  const operation = (operationId: string) => ({
    ...{ operationId, summary: 'Get the links of a genome', responses: answer(list) },
  });
  const document = documentOf({
    paths: {
      '/genomes/{id}/links': { get: operation('links_of_genome') },
      '/genomes/links': { post: operation('links_of_genome_by_post') },
      '/posts': { get: operation('blog'), post: { ...operation('blog'), summary: 'Get blogs' } },
      '/plants/{id}': { get: { ...operation('plant'), requestBody: { content: {} } } },
      '/plants': { post: operation('plant_post') },
    },
  });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const off = [...twinsOf(document, natures)].map(([{ operation }, { reason }]) => [
    ...[operation.id, reason],
  ]);
  assert.deepEqual(off, [['links_of_genome_by_post', 'GET /genomes/{id}/links asks the same']]);
});

test('a copy of an operation at another address stays off', () => {
  const operation = (summary: string, ...names: string[]) => ({
    ...{ operationId: 'ListBeds', summary, parameters: query(...names), responses: answer(list) },
  });
  const offOf = (there: object) => {
    const document = documentOf({
      paths: { '/api/v1/beds': { get: operation('Lists beds', 'size') }, ...there },
    });
    const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
    return [...twinsOf(document, natures).values()].map(({ reason }) => reason);
  };
  const copied = { '/cluster/beds': { get: operation('Lists beds', 'size') } };
  assert.deepEqual(offOf(copied), ['GET /api/v1/beds is the same']);
  const again = { ...operation('Lists beds', 'size'), operationId: 'ListBeds2' };
  assert.deepEqual(offOf({ '/cluster/beds': { get: again } }), ['GET /api/v1/beds is the same']);
  const other = { ...again, operationId: 'ListPlots2' };
  assert.deepEqual(offOf({ '/cluster/beds': { get: other } }), []);
  assert.deepEqual(offOf({ '/cluster/beds': { get: operation('Lists plots', 'size') } }), []);
  assert.deepEqual(offOf({ '/cluster/beds': { get: operation('Lists beds', 'age') } }), []);
  assert.deepEqual(offOf({ '/cluster/plots': { get: operation('Lists beds', 'size') } }), []);
});

test('a path with a slash at its end is the one without, where the same is said of both', () => {
  const offOf = (path: string, summary: string) => {
    const list = { operationId: 'list_beds_get', summary: 'List beds', responses: {} };
    const other = { operationId: 'list_beds__get', summary, responses: {} };
    const document = documentOf({ paths: { [path]: { get: other }, '/beds': { get: list } } });
    const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
    return Array.from(twinsOf(document, natures), ([{ operation }, { reason }]) => [
      operation.path,
      reason,
    ]);
  };
  assert.deepEqual(offOf('/beds/', 'List beds'), [['/beds/', 'GET /beds is the same']]);
  assert.deepEqual(offOf('/beds/', 'List all beds'), []);
  assert.deepEqual(offOf('/plots/', 'List beds'), []);
});

test('a method of Connect RPC that is asked by GET and by POST is one', () => {
  const path = '/bed.v1.BedService/ListBeds';
  const offOf = (...names: string[]) => {
    const post = { operationId: 'BedService_ListBeds', responses: answer(list) };
    const get = { ...post, operationId: `${post.operationId}.get`, parameters: query(...names) };
    const natures = new ApiOperations(documentOf({ paths: { [path]: { get, post } } })).all;
    const document = documentOf({ paths: { [path]: { get, post } } });
    const twins = twinsOf(
      document,
      natures.map((each) => natureOf(document, each)),
    );
    return Array.from(twins, ([{ operation }, { reason }]) => [operation.method, reason]);
  };
  const off = [['GET', `POST ${path} takes the same arguments`]];
  assert.deepEqual(offOf('message'), off);
  assert.deepEqual(offOf('message', 'encoding', 'base64', 'connect'), off);
  assert.deepEqual(offOf('message', 'sort'), []);
  assert.deepEqual(offOf('connect'), []);
});

test('of the bindings of one method that takes in its path what it takes in its query, the plainest stays', () => {
  const text = { summary: 'List the beds of a shelf', responses: answer(list) };
  const inPath = (...names: string[]) =>
    names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const document = documentOf({
    paths: {
      '/beds/{shelf}/{user}': {
        get: { ...text, operationId: 'Beds_ListBeds2', parameters: inPath('shelf', 'user') },
      },
      '/beds/{shelf}': {
        get: {
          ...{ ...text, operationId: 'Beds_ListBeds' },
          parameters: [...inPath('shelf'), ...query('user')],
        },
      },
      '/doors/{shelf}': {
        get: { ...text, operationId: 'Beds_ListDoors2', parameters: inPath('shelf') },
      },
    },
  });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  const off = [...twinsOf(document, natures)].map(([left, { reason }]) => [
    left.operation.path,
    reason,
  ]);
  assert.deepEqual(off, [['/beds/{shelf}/{user}', 'GET /beds/{shelf} is the same']]);
});

test('one question that is asked in the address and in a body is asked in the address', () => {
  const told = { summary: 'Query runs by start and state', responses: answer(list) };
  const body = { content: { 'application/json': { schema: { type: 'array', items: {} } } } };
  const twinsIn = (summary: string) => {
    const document = documentOf({
      paths: {
        '/runs/query': {
          get: { ...told, parameters: query('start', 'state') },
          post: { ...told, summary, requestBody: body },
        },
      },
    });
    const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
    return [...twinsOf(document, natures).keys()].map(({ operation }) => operation.method);
  };
  assert.deepEqual(twinsIn(told.summary), ['POST']);
  assert.deepEqual(twinsIn('Query runs by many states'), []);
});

/** What a POST at the place of a GET is taken for. */
function askedBoth(getId: string, postId: string, told: string) {
  const called = (operationId: string, summary: string) => ({
    ...{ operationId, summary, responses: answer({ properties: { legs: list } }) },
  });
  const paths = {
    '/plan': {
      get: called(getId, 'Computes the best ways between places'),
      post: called(postId, told),
    },
  };
  const document = documentOf({ paths });
  const natures = new ApiOperations(document).all.map((each) => natureOf(document, each));
  return [natures[1]?.reads, twinsOf(document, natures).size];
}

test('a POST that is called and said to be the GET at its place only asks what that asks', () => {
  assert.deepEqual(
    askedBoth('plan', 'planPost', 'Computes the best ways between places, by a body'),
    [true, 1],
  );
  assert.deepEqual(askedBoth('plan', 'postPlan', 'Computes the best ways between places'), [
    true,
    1,
  ]);
  // Frameworks have one text for a list and for what adds to it.
  assert.deepEqual(askedBoth('plan_list', 'plan_create', 'Computes the best ways between places'), [
    false,
    0,
  ]);
  assert.deepEqual(askedBoth('plan', 'planPost', 'Stores the best ways between places'), [
    false,
    0,
  ]);
});
