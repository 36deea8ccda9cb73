import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { guessVersion } from '../../../../generator/provider/guess/guess-version.ts';
import { subjectOf } from '../../../../generator/provider/operations/operation-role.ts';
import { natureIn } from './described.ts';

const text = { type: 'string' };
const asked = { name: 'api-version', in: 'query', required: true, schema: text };
const inPath = { name: 'version', in: 'path', required: true, schema: { ...text, default: 'v2' } };

for (const [what, path, parameter, expected] of [
  ['the version of the description', '/things', asked, { 'api-version': '1' }],
  [
    'the version that its text names',
    '/things',
    { ...asked, description: "Version to use. This should be set to '7.1-preview.2'." },
    { 'api-version': '7.1-preview.2' },
  ],
  ['a usual version', '/v/{version}/things', inPath, { version: 'v2' }],
  ['the version of a thing', '/things/{id}/{version}', inPath, {}],
  [
    'a name beside versions',
    '/v/{version}',
    { ...inPath, schema: { ...text, default: 'latest' } },
    {},
  ],
  [
    'one of several versions',
    '/v/{version}',
    { ...inPath, schema: { ...text, enum: ['v1', 'v2'] } },
    {},
  ],
  ['a version that need not be named', '/things', { ...asked, required: false }, {}],
  [
    'another version than is listed',
    '/things',
    { ...asked, schema: { ...text, enum: ['3', '4'] } },
    {},
  ],
  ['a number', '/things', { ...asked, schema: { type: 'integer' } }, {}],
] as const) {
  const isFixed = Object.keys(expected).length > 0;
  test(`${what} is ${isFixed ? 'sent always' : 'left to callers'}`, () => {
    const { document, nature } = natureIn(path, { parameters: [parameter], responses: {} });
    assert.deepEqual(guessVersion(document, nature.operation), expected);
  });
}

const auth = { auth: { type: 'none' as const }, review: '' };

test('a drafted tool sends the version, in an address as in a header', () => {
  const header = { ...asked, name: 'X-API-Version', in: 'header' };
  const { document, nature } = natureIn('/things', { parameters: [asked, header], responses: {} });
  const choices = { name: 'acme_things', usual: undefined, auth, texts: true };
  const { params, headers } = draftOperation(document, nature, choices);
  assert.deepEqual(params, { fixed: { 'api-version': '1' } });
  assert.deepEqual(headers, { 'X-API-Version': '1' });
});

test('what is made below the version of an API alone is no item of it', () => {
  const { nature } = natureIn('/workflows/{version}', { responses: {} }, 'post');
  const { isItem, parents } = subjectOf(nature.operation, ['version']);
  assert.deepEqual([isItem, parents], [false, 0]);
  assert.equal(subjectOf(nature.operation).isItem, true);
});

test('a drafted tool sends the header that tells scripts from forms', () => {
  const header = (name: string) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  });
  const parameters = [header('X-Requested-With'), header('X-Requested-By')];
  const { document, nature } = natureIn('/things', { parameters, responses: {} });
  const choices = { name: 'acme_things', usual: undefined, auth, texts: true };
  const { params, headers } = draftOperation(document, nature, choices);
  assert.deepEqual(headers, { 'X-Requested-With': 'XMLHttpRequest' });
  assert.deepEqual(params, { include: ['X-Requested-By'] });
});
