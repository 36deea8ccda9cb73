import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRequest } from '../../../../generator/provider/operations/texts/request-told.ts';

const cases = [
  ['Get one user', 'GET', '/v1/users/{user_id}', 'Get one user'],
  ['List channels of boats', 'GET', '/api/boats/{id}/channels', 'List channels of boats'],
  [
    'Mark guide as read',
    'PUT',
    '/v1/guides/messages/read',
    'Mark guide as read (PUT /v1/guides/messages/read)',
  ],
  ['Get user', 'GET', '/users/{id}', 'Get user (GET /users/{id})'],
] as const;

for (const [purpose, method, path, told] of cases) {
  test(`"${purpose}" of ${method} ${path} reads ${told}`, () => {
    assert.equal(withRequest(purpose, { method, path }), told);
  });
}
