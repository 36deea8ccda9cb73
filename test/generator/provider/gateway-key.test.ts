import assert from 'node:assert/strict';
import test from 'node:test';
import { readScheme } from '../../../generator/provider/guess/security-schemes.ts';

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
