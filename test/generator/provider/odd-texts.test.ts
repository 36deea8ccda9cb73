import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import { curationText } from '../../../generator/provider/draft/curation-text.ts';
import {
  curationDrafter,
  surveyOperations,
} from '../../../generator/provider/draft/draft-curation.ts';
import { guessAuth } from '../../../generator/provider/guess/guess-auth.ts';
import { guessOwnAuth } from '../../../generator/provider/guess/own-auth.ts';
import { answer, documentOf, list } from './guess/described.ts';

/** The whole draft of some paths, by method and path. */
function draftOf(paths: object, more: object = {}) {
  const document = documentOf({ ...more, paths });
  const source = { id: 'acme', document, origin: undefined, licence: 'MIT', texts: true };
  const survey = surveyOperations(source);
  const { operations } = curationDrafter(source, survey)(new Set(survey.names));
  return new Map(
    survey.natures.map(({ operation }, index) => [
      `${operation.method} ${operation.path}`,
      { ...operations[index]?.operation, twin: [...survey.twins.values()][0]?.reason },
    ]),
  );
}

const lists = { responses: answer(list) };

test('a day in the path is a version: no name has it, and what has an older one is a twin', () => {
  const drafted = draftOf({
    '/2026-01-25/events': { get: lists },
    '/v1/events': { get: lists },
    '/2025-11/events/{id}': { get: lists },
  });
  assert.equal(drafted.get('GET /2026-01-25/events')?.name, 'acme_events_list');
  assert.equal(drafted.get('GET /2025-11/events/{id}')?.name, 'acme_events_get');
  assert.match(
    drafted.get('GET /v1/events')?.twin ?? '',
    /an older version of GET \/2026-01-25\/events/,
  );
});

test('members of an object that is written out in the query are those of a body of the same search', () => {
  const asked = {
    type: 'object',
    properties: { year: { type: 'integer' }, place: { type: 'string' } },
  };
  const parameters = [{ name: 'asked', in: 'query', schema: asked }];
  const requestBody = { content: { 'application/json': { schema: asked } } };
  const search = { summary: 'Search the calendar', requestBody, ...lists };
  const drafted = draftOf({ '/calendar': { get: { parameters, ...lists }, post: search } });
  assert.match(drafted.get('POST /calendar')?.twin ?? '', /takes the same arguments/);
});

test('a read whose id was copied from what changes the same has the name of its path', () => {
  const drafted = draftOf({
    '/smb/shares': {
      get: { operationId: 'setSambaShares', summary: 'Get the shares', ...lists },
      put: { operationId: 'updateSambaShares', summary: 'Set the shares' },
    },
    '/sets': { get: { operationId: 'set_list', summary: 'List sets', ...lists } },
  });
  assert.equal(drafted.get('GET /smb/shares')?.name, 'acme_smb_shares_list');
  assert.equal(drafted.get('PUT /smb/shares')?.name, 'acme_update_samba_shares');
});

test('of summaries that fill one frame, the description says what is done', () => {
  const verbs = ['getBadges', 'getProfile', 'putBadge', 'putProfile', 'getKeys', 'deleteKey'];
  const paths = Object.fromEntries(
    verbs.map((verb) => [
      `/${verb}`,
      {
        get: {
          operationId: verb,
          summary: `The REST read request message for the ${verb}() API call.`,
          ...(verb !== 'deleteKey' && { description: `Tells what is meant by ${verb}. More.` }),
          ...lists,
        },
      },
    ]),
  );
  const drafted = draftOf(paths);
  assert.equal(drafted.get('GET /getBadges')?.purpose, 'Tells what is meant by getBadges');
  // Where there is nothing else, the summary stays.
  assert.match(drafted.get('GET /deleteKey')?.purpose ?? '', /^The REST read request message/);
  const few = Object.fromEntries(Object.entries(paths).slice(0, 3));
  assert.match(draftOf(few).get('GET /getBadges')?.purpose ?? '', /^The REST read request/);
});

test('a scheme that is declared nowhere is told otherwise than one that cannot be sent', () => {
  const schemes = { certificate: { type: 'mutualTLS' } };
  const security = (name: string) => ({ get: { ...lists, security: [{ [name]: [] }] } });
  const document = documentOf({
    paths: { '/a': security('certificate'), '/b': security('api_key') },
    components: { securitySchemes: schemes },
  });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  assert.deepEqual(
    new ApiOperations(document).all.map((operation) => own.unsent(operation)),
    ['certificate, which tools cannot send', 'api_key, which the description declares nowhere'],
  );
});

test('a scheme that is declared nowhere is told once where most operations demand it', () => {
  const security = (name: string) => ({ get: { ...lists, security: [{ [name]: [] }] } });
  const document = documentOf({
    paths: { '/a': security('key'), '/b': security('key'), '/c': security('other') },
  });
  const guessed = guessAuth(document, 'acme');
  assert.match(guessed.review ?? '', /^the description demands key, other without a word/);
  const own = guessOwnAuth(document, 'acme', guessed);
  assert.deepEqual(
    new ApiOperations(document).all.map((operation) => own.unsent(operation)),
    [undefined, undefined, 'other, which the description declares nowhere'],
  );
  // The credential of all is another one then, whose mark says nothing of this.
  const basic = { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } };
  const beside = documentOf({ paths: document.root.paths as object, components: basic });
  const mixed = guessOwnAuth(beside, 'acme', guessAuth(beside, 'acme'));
  for (const operation of new ApiOperations(beside).all) {
    assert.match(mixed.unsent(operation) ?? '', /which the description declares nowhere$/);
  }
});

test('what two credentials have in common is written out for each: a file has no anchors', () => {
  const env = ['SERVICE_ACME_TOKEN'];
  const text = curationText({
    ...{ id: 'acme', title: 'Acme', server: { url: 'https://acme.example' }, operations: [] },
    auth: { auth: { type: 'bearer', env }, review: 'how it travels' },
    otherAuth: [{ id: 'other', type: 'bearer', env, default: false }],
  });
  assert.equal(text.split('env: [ SERVICE_ACME_TOKEN ]').length - 1, 2);
});

test('lines of JSON are a list, whatever is told of a line', () => {
  const lines = (type: string) => ({
    responses: { 200: { content: { [type]: { schema: { type: 'object' } } } } },
  });
  const drafted = draftOf({
    '/exports': { get: lines('application/x-ndjson; charset=utf-8') },
    '/sequence': { get: lines('application/json-seq') },
    '/notes': { get: lines('text/plain') },
  });
  for (const path of ['/exports', '/sequence']) {
    const { decode, items } = drafted.get(`GET ${path}`)?.response ?? {};
    assert.deepEqual({ decode, items }, { decode: 'json', items: '$' });
  }
  assert.equal(drafted.get('GET /notes')?.response?.decode, 'text');
});
