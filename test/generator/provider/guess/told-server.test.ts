import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { obstacles } from '../../../../generator/provider/operations/operation-obstacle.ts';
import { moreOf } from '../../../../generator/provider/operations/texts/more-told.ts';
import { documentOf } from './described.ts';

const variables = { stage: { default: 'v1' } };
const servers = [
  { url: 'https://api.acme.example/edit/{stage}', variables },
  { url: 'https://api.acme.example/serve/{stage}', variables },
  { url: 'https://sandbox.acme.example' },
];

/** What stands in the way of an operation with this text. */
function obstacleOf(description: string) {
  const document = documentOf({
    servers,
    paths: { '/files': { get: { description, responses: {} } } },
  });
  const [operation] = new ApiOperations(document).all;
  assert.ok(operation);
  return obstacles({ id: 'acme', document, origin: undefined })(operation);
}

for (const [described, text] of [
  ['as it is written', '**Base URL:** <a href="#">https://api.acme.example/serve/{stage}</a>'],
  ['with its usual values', 'It stands at https://api.acme.example/serve/v1/.'],
  ['with the path of the operation', 'Call `https://api.acme.example/serve/v1/files`.'],
] as const) {
  test(`a server that the text of an operation names ${described} is its own`, () => {
    assert.match(
      obstacleOf(text) ?? '',
      /^its server is https:\/\/api\.acme\.example\/serve\/v1: /,
    );
  });
}

for (const [what, text] of [
  ['the usual server', 'Base URL: https://api.acme.example/edit/v1.'],
  [
    'the usual server, too',
    'https://api.acme.example/edit/v1 or https://api.acme.example/serve/v1',
  ],
  ['a sandbox', 'To try it out, use https://sandbox.acme.example.'],
  ['another page', 'See https://api.acme.example/serve/v1/guide and https://other.example.'],
] as const) {
  test(`a text that names ${what} says nothing of a server of its own`, () => {
    assert.equal(obstacleOf(text), undefined);
  });
}

test('an address behind its name is no text that says more', () => {
  const text = (description: string) => {
    const document = documentOf({ paths: { '/files': { get: { description, responses: {} } } } });
    const [operation] = new ApiOperations(document).all;
    assert.ok(operation);
    return moreOf(operation, 'List files');
  };
  const address = '**Base URL:** <a href="#">https://api.acme.example/serve/{stage}</a>';
  assert.equal(text(address), undefined);
  assert.equal(
    text(`${address}. Files of other teams are hidden.`),
    'Files of other teams are hidden.',
  );
});
