import assert from 'node:assert/strict';
import test from 'node:test';
import { nameHeaders } from './header-names.ts';

const key = (name: string) => ({ type: 'apiKey', in: 'header', name });

test('a header that is called what none can be is the usual one', () => {
  const root = { schemes: { jwt: key('Authorization: Bearer') } };
  assert.equal(nameHeaders(root), true);
  assert.deepEqual(root, { schemes: { jwt: key('Authorization') } });
  assert.equal(nameHeaders(root), false);
});

test('other headers, and what is no header, keep their names', () => {
  const root = [key('X-Api-Key'), key('My Header'), { in: 'query', name: 'Authorization: Bearer' }];
  assert.equal(nameHeaders(structuredClone(root)), false);
});
