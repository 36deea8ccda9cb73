import assert from 'node:assert/strict';
import test from 'node:test';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { answer, natureIn } from '../../guess/described.ts';

const made = 'it makes a credential, which agents would see: make one yourself';
const shown = 'it shows credentials, or is about them alone: agents have no use for those';

const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

for (const [path, sent, given, isMade] of [
  ['/oauth/clients', ['name'], ['client_id'], true],
  ['/clients', ['name'], ['client_id', 'name'], true],
  ['/apps', ['name'], ['clientId'], true],
  ['/integrations', ['redirect_uris'], ['client_id'], true],
  ['/register', ['client_id', 'grant_types'], ['client_id', 'grant_types'], true],
  ['/acl/bootstrap', [], ['id'], true],
  ['/sys/generate-root', [], ['id'], true],
  // People are clients, too, and what somebody else has made is only told.
  ['/clients', ['name', 'email'], ['client_id', 'name'], false],
  ['/search-models', ['client_id', 'redirect_uri'], ['client_id', 'name'], false],
  ['/invoices', ['number'], ['id', 'client_id'], false],
  ['/keys/{set}', ['use'], ['id'], false],
] as const) {
  test(`POST ${path} that answers ${given} makes ${isMade ? 'a credential' : 'none'}`, () => {
    const requestBody = { content: { 'application/json': { schema: object(...sent) } } };
    const operation = { requestBody, responses: answer(object(...given)) };
    const { document, nature } = natureIn(path, operation, 'post');
    assert.equal(asideReason(document, nature), isMade ? made : undefined);
  });
}

test('a key that is made by its text is a credential, wherever it is kept', () => {
  const operation = { summary: 'Create a JSON web key' };
  const { document, nature } = natureIn('/keys/{set}', operation, 'post');
  assert.equal(asideReason(document, nature), made);
});

const privateKey = object('kty', 'd', 'n');

for (const [path, given, isShown] of [
  ['/services/{id}/password/reveal', object('username'), true],
  ['/admin/keys/{set}', { properties: { keys: { items: privateKey } } }, true],
  ['/keys/{set}', { type: 'array', items: privateKey }, true],
  ['/keys/{set}', { properties: { keys: { items: object('kty', 'n') } } }, false],
  ['/.well-known/keys', { properties: { keys: { items: privateKey } } }, false],
] as const) {
  test(`GET ${path} with ${JSON.stringify(given)} ${isShown ? 'shows credentials' : 'shows none'}`, () => {
    const { document, nature } = natureIn(path, { responses: answer(given) });
    assert.equal(asideReason(document, nature), isShown ? shown : undefined);
  });
}
