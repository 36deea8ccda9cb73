import assert from 'node:assert/strict';
import test from 'node:test';
import {
  draftCuration,
  surveyOperations,
} from '../../../../generator/provider/draft/draft-curation.ts';
import { answer, documentOf } from './described.ts';

const header = (name: string, required = true) => ({
  ...{ name, in: 'header', required },
  schema: { type: 'string' },
});
const thing = answer({ type: 'object', properties: { id: { type: 'string' } } });

function drafted(paths: object) {
  const source = {
    ...{ id: 'acme', document: documentOf({ paths }), origin: undefined },
    ...{ licence: undefined, texts: false },
  };
  const { operations } = draftCuration(source, surveyOperations(source), new Set());
  return operations.map(({ operation: { name, params, response } }) => ({
    ...{ name, describe: params?.describe, headers: response?.headers },
  }));
}

test('what is read and then changed shows the validator that the change demands (RFC 9110, 13.1)', () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const [read, change] = drafted({
    '/things/{id}': {
      parameters: [id],
      get: { responses: thing },
      put: { parameters: [header('If-Match')], responses: thing },
    },
  });
  assert.deepEqual(read?.headers, ['etag']);
  assert.deepEqual(change?.describe, {
    'If-Match': `The etag in response_headers of what ${read?.name} answers.`,
  });
});

test('a header that one answer declares and another request demands is shown', () => {
  const declared = answer({ type: 'object' }, { 'X-Session-Mark': { schema: { type: 'string' } } });
  const [begin, go] = drafted({
    '/begin': { post: { responses: declared } },
    '/go': { get: { parameters: [header('X-Session-Mark')], responses: thing } },
  });
  assert.deepEqual(begin?.headers, ['x-session-mark']);
  assert.equal(go?.headers, undefined);
  assert.deepEqual(go?.describe, {
    'X-Session-Mark': `The x-session-mark in response_headers of what ${begin?.name} answers.`,
  });
});

test('a header that no request demands, or that only traces requests, is not shown', () => {
  const declared = answer(
    { type: 'object' },
    { ETag: { schema: { type: 'string' } }, 'X-Request-Id': { schema: { type: 'string' } } },
  );
  const parameters = [header('If-Match', false), header('X-Request-Id')];
  const found = drafted({ '/things': { get: { parameters, responses: declared } } });
  assert.deepEqual(
    found.map(({ headers }) => headers),
    [undefined],
  );
});

test('a header that every answer gives back as it was sent comes from no answer', () => {
  const declared = answer({ type: 'object' }, { 'x-v': { schema: { type: 'string' } } });
  const asked = { parameters: [header('x-v')], responses: declared };
  const found = drafted({ '/bills': { get: asked }, '/meters': { get: asked } });
  assert.deepEqual(
    found.map(({ headers, describe }) => [headers, describe]),
    [
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
});
