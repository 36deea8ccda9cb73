import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../generator/provider/draft/draft-operation.ts';
import { leftOut } from '../../../../generator/provider/operations/left-out.ts';
import { answer, natureIn } from './described.ts';

const auth = { auth: { type: 'none' as const }, review: '' };
const responses = answer({ properties: { id: { type: 'string' } } });
const header = (name: string, schema: object, more: object = {}) => ({
  parameters: [{ name, in: 'header', schema, ...more }],
});
const body = (properties: object, required: readonly string[] = []) => ({
  requestBody: {
    content: { 'application/json': { schema: { type: 'object', properties, required } } },
  },
});

function drafted(described: object, { path = '/orders', method = 'post' } = {}) {
  const { document, nature } = natureIn(path, { ...described, responses }, method);
  const name = 'acme_x';
  const operation = draftOperation(document, nature, { name, usual: undefined, auth, texts: true });
  return { operation, left: leftOut(document, [operation]) };
}

const text = { type: 'string' };
const key = (place: 'header' | 'body', name: string) => ({ in: place, name, key: 'auto' });

for (const [what, described, expected] of [
  [
    'a header that may be left out',
    header('Idempotency-Key', text),
    key('header', 'Idempotency-Key'),
  ],
  [
    'a header that is demanded',
    header('X-Idempotency-Key', { ...text, format: 'uuid', maxLength: 36 }, { required: true }),
    key('header', 'X-Idempotency-Key'),
  ],
  [
    'a header of another name, by its text',
    header('Acme-Request-Id', text, { description: 'The server stores keys for 6 hours.' }),
    key('header', 'Acme-Request-Id'),
  ],
  [
    'a member of the body',
    body({ idempotency_key: { ...text, maxLength: 45 }, note: text }, ['idempotency_key']),
    key('body', 'idempotency_key'),
  ],
  [
    'a header and a member, the header',
    { ...header('Idempotency-Key', text), ...body({ idempotencyKey: text, note: text }) },
    key('header', 'Idempotency-Key'),
  ],
] as const) {
  test(`a key of the vendor is made by the server, in ${what} (draft-ietf-httpapi-idempotency-key-header)`, () => {
    const { operation, left } = drafted(described);
    assert.deepEqual(operation.idempotency, expected);
    assert.equal(operation.params, undefined);
    assert.deepEqual(left, []);
  });
}

const demanded = { required: true };

for (const [name, schema, more, isMade] of [
  ['X-Request-ID', { ...text, format: 'uuid' }, demanded, true],
  ['x-acme-interaction-id', text, demanded, true],
  ['Correlation-Id', text, { ...demanded, description: 'Tells requests apart' }, true],
  ['X-Request-ID', text, {}, false],
  ['X-Request-ID', { ...text, maxLength: 20 }, demanded, false],
  ['Account-Id', text, demanded, false],
  ['Request-Id', text, { ...demanded, description: 'The id of an earlier request' }, false],
] as const) {
  for (const method of ['get', 'post']) {
    test(`${name} ${JSON.stringify({ ...schema, ...more })} of a ${method} is ${isMade ? 'made for each request' : 'no name of it that can be made'}`, () => {
      const { operation } = drafted(header(name, schema, more), { method });
      const made = { in: 'header', name, key: 'each' };
      assert.deepEqual(operation.idempotency, isMade ? made : undefined);
      const isAsked = 'required' in more && !isMade;
      assert.deepEqual(operation.params?.include, isAsked ? [name] : undefined);
    });
  }
}

for (const [what, described, at] of [
  ['a header that takes no UUID', header('Idempotency-Key', { ...text, maxLength: 32 }), {}],
  ['a header that counts', header('Idempotency-Key', { type: 'integer' }), {}],
  ['the number of a request', header('X-Request-Id', text), {}],
  ['a member of a member', body({ order: { properties: { idempotency_key: text } } }), {}],
  ['what is read', header('Idempotency-Key', text), { method: 'get' }],
  ['all that there is', body({ idempotency_key: text }, ['idempotency_key']), {}],
  [
    'the key of an earlier request',
    body({ idempotency_key: text, note: text }),
    { path: '/orders/cancel-by-idempotency-key' },
  ],
] as const) {
  test(`no key is made by the server in ${what}`, () => {
    assert.equal(drafted(described, at).operation.idempotency, undefined);
  });
}

test('a demanded header in which the server can put no key stays an argument', () => {
  const described = header('Idempotency-Key', { ...text, maxLength: 32 }, { required: true });
  assert.deepEqual(drafted(described).operation.params?.include, ['Idempotency-Key']);
});

for (const [key, name, kind] of [
  ['X-Request-ID', 'X-Request-ID', 'each'],
  ['Idempotency-Key', 'Idempotency-Key', 'auto'],
] as const) {
  test(`every header that names a request is made, beside ${key}`, () => {
    const parameters = [key, 'X-Correlation-ID', 'Trace-Id'].flatMap(
      (each) => header(each, text, demanded).parameters,
    );
    const { operation } = drafted({ parameters }, { method: 'post' });
    const also = ['X-Correlation-ID', 'Trace-Id'];
    assert.deepEqual(operation.idempotency, { in: 'header', name, key: kind, also });
    assert.equal(operation.params?.include, undefined);
  });
}
