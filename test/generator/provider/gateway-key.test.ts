import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import { guessAuth } from '../../../generator/provider/guess/guess-auth.ts';
import { prefixIn } from '../../../generator/provider/guess/key-prefix.ts';
import { guessOwnAuth } from '../../../generator/provider/guess/own-auth.ts';
import { readScheme } from '../../../generator/provider/guess/security-schemes.ts';
import { answer, documentOf, list } from './guess/described.ts';

for (const [identitySource, expected] of [
  ['method.request.header.X-Shop', 'header X-Shop'],
  ['method.request.querystring.shop', 'query shop'],
  ['context.path', undefined],
  ['method.request.header.X-Shop, method.request.querystring.shop', undefined],
] as const) {
  test(`a gateway whose function looks at ${identitySource} takes ${expected ?? 'no key'}`, () => {
    const scheme = {
      type: 'apiKey',
      in: 'header',
      name: 'Unused',
      'x-amazon-apigateway-authorizer': { type: 'request', identitySource },
    };
    const { auth } = readScheme(scheme, ['TOKEN'], []) ?? {};
    const told = auth?.type === 'api_key' ? `${auth.in} ${auth.name}` : undefined;
    assert.equal(told, expected);
  });
}

test('an example of the header tells the word before the key, in whatever language', () => {
  assert.equal(prefixIn('Beispiel: *AcmeKey x8Kq2b.aB3dE5fG7hJ9kL1mN3pQ5*\n'), 'AcmeKey');
  assert.equal(prefixIn('Such as AcmeKey 9f8e7d6c5b4a39281706f5e4d3c2b1a0'), 'AcmeKey');
  for (const text of [
    'Your key. For more see Guide developers.acme.com/docs/v2/auth',
    'Ask Support support/2024/open-a-new-ticket',
    'Such as UUID 3fa85f64-5717-4562-b3fc-2c963f66afa6',
  ])
    assert.equal(prefixIn(text), undefined);
  assert.equal(prefixIn('The key of one of your 12345678901234567890ab places'), undefined);
});

const key = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });

/** The credentials that operations take for themselves. */
function entriesOf(paths: object) {
  const document = documentOf({ paths });
  const own = guessOwnAuth(document, 'acme', guessAuth(document, 'acme'));
  for (const operation of new ApiOperations(document).all) own.of(operation);
  return own.entries;
}

test('whose key it is comes with the key, where nothing else demands it', () => {
  const get = (...names: string[]) => ({
    get: { parameters: names.map(key), responses: answer(list) },
  });
  const of = (...elsewhere: string[]) =>
    entriesOf({
      '/free': get(),
      '/news': get(),
      '/beds': get('Api-Key', 'Api-Username'),
      '/plots': get(...elsewhere),
    }).map(({ name, headers }) => [name, headers]);
  const joined = [['Api-Key', { 'Api-Username': '{env:SERVICE_ACME_API_USERNAME}' }]];
  assert.deepEqual(of(), joined);
  assert.deepEqual(of('Api-Key', 'Api-Username'), joined);
  // Elsewhere it is asked for.
  assert.deepEqual(of('Api-Username'), [['Api-Key', undefined]]);
});
