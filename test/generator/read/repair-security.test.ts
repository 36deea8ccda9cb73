import assert from 'node:assert/strict';
import test from 'node:test';
import { securityRepair } from '../../../generator/read/repair/repair-security.ts';

const bearer = { type: 'http', scheme: 'bearer' };
const key = { type: 'apiKey', in: 'header', name: 'X-Key' };

/** What becomes of an operation that demands a scheme of this name, and what is declared then. */
function read(name: string, schemes: object | undefined) {
  const root = { openapi: '3.0.3', ...(schemes && { components: { securitySchemes: schemes } }) };
  const operation = { security: [{ [name]: [] }] };
  const told: string[] = [];
  const repair = securityRepair(root, (_, message) => told.push(message));
  repair(operation, ['paths']);
  const declared = 'components' in root ? root.components : undefined;
  return { security: operation.security, told, declared };
}

for (const name of ['jwt', 'bearerAuth', 'Bearer', 'JWT_token', 'http-bearer']) {
  test(`"${name}" that is declared nowhere is a bearer token`, () => {
    const { security, told, declared } = read(name, undefined);
    assert.deepEqual(security, [{ [name]: [] }]);
    assert.deepEqual(declared, { securitySchemes: { [name]: bearer } });
    assert.deepEqual(told, [
      `no security scheme is called "${name}"; it is read as a bearer token`,
    ]);
  });
}

test('of several declared schemes it is the one of bearer tokens', () => {
  assert.deepEqual(read('jwt', { key, access: bearer }).security, [{ access: [] }]);
  assert.deepEqual(read('jwt', { key, access: bearer, other: bearer }).security, [{ access: [] }]);
  assert.deepEqual(read('jwt', { jwt: key, access: bearer }).security, [{ jwt: [] }], 'declared');
  assert.deepEqual(read('jwt', { key }).security, [{ key: [] }], 'the only one');
});

test('another name that is declared nowhere says nothing', () => {
  const { security, told, declared } = read('partner', { key, access: bearer });
  assert.deepEqual(security, [{ partner: [] }]);
  assert.deepEqual([told, declared], [[], { securitySchemes: { key, access: bearer } }]);
  assert.equal(read('bearers_of_news', undefined).declared, undefined);
});

for (const [what, written, meant] of [
  ['a name', 'key', { key: [] }],
  ['a scope without its list', { key: 'read' }, { key: ['read'] }],
  ['no scopes at all', { key: null, access: [] }, { key: [], access: [] }],
] as const) {
  test(`${what} in the place of a requirement demands the scheme all the same`, () => {
    for (const schemes of [undefined, { key, access: bearer }]) {
      const operation = { security: [structuredClone(written), { access: ['write'] }] };
      const told: string[] = [];
      const root = {
        openapi: '3.0.3',
        ...(schemes && { components: { securitySchemes: schemes } }),
      };
      securityRepair(root, (path, message) => told.push(`${path.join('/')} ${message}`))(
        operation,
        ['get'],
      );
      assert.deepEqual(operation.security, [meant, { access: ['write'] }]);
      assert.equal(told.length, 1);
      assert.match(
        told[0] ?? '',
        /^get\/security\/0(?:\/key)? "key" must be a (?:map|list of scopes); it is read as /,
      );
    }
  });
}

for (const [what, written, meant] of [
  ['a name', 'key', [{ key: [] }]],
  ['a map', { key: [] }, [{ key: [] }]],
  ['a number', 5, [{ unreadable: [] }]],
  ['names in a list of their own', [['key', 'access']], [{ key: [], access: [] }]],
  ['no map but a number', [5], [{ unreadable: [] }]],
  ['no map but nothing', [null], [{ unreadable: [] }]],
] as const) {
  test(`what is demanded stays demanded where it is written as ${what}`, () => {
    const operation: { security: unknown } = { security: structuredClone(written) };
    const told: string[] = [];
    const root = { openapi: '3.0.3', components: { securitySchemes: { key, access: bearer } } };
    const repair = securityRepair(root, (path, message) =>
      told.push(`${path.join('/')} ${message}`),
    );
    repair(operation, ['get']);
    assert.deepEqual(operation.security, meant);
    assert.match(told[0] ?? '', /^get\/security(?:\/0)? .* must be a .*; it is read as /);
  });
}

test('an operation that demands nothing says so with an empty list', () => {
  const operation = { security: [] };
  securityRepair({}, () => assert.fail())(operation, ['get']);
  assert.deepEqual(operation.security, []);
});
