import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config/config';
import { parseProviderAuth } from '../../../runtime/vendors/provider-auth.ts';

const entry = {
  title: 'A vendor',
  presets: [],
  env: [],
  load: () => assert.fail('a provider was loaded'),
  definitions: new URL('file:///nowhere'),
  search: () => assert.fail('a provider was searched'),
  skill: () => assert.fail('a skill was loaded'),
};
const registry = { github: entry, slack: entry };

function complaint(text: string): string {
  try {
    parseProviderAuth(text, registry);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.doesNotMatch(error.message, /hunter2/);
    return error.message;
  }
  return assert.fail('the text was accepted');
}

test('credentials by the ids of providers are read', () => {
  const value = { github: 'hunter2', slack: { 'x-key': 'hunter2' } };
  assert.deepEqual(parseProviderAuth(JSON.stringify(value), registry), value);
  assert.equal(parseProviderAuth(undefined, registry), undefined);
});

test('a wrong id is named, with those that exist', () => {
  const message = complaint('{"github":"hunter2","gihtub":"hunter2"}');
  assert.match(message, /ids of providers \(github, slack\), but "gihtub" was given/);
});

test('a secret in the place of an id is not repeated', () => {
  assert.match(complaint('{"hunter2":"github"}'), /but another key was given/);
});

test('a credential of another shape is told by its id', () => {
  assert.match(complaint('{"slack":7,"github":"hunter2"}'), /object of headers each \(see slack\)/);
});

for (const text of ['hunter2', '"hunter2"', '["hunter2"]', 'null']) {
  test(`${text} is no object of credentials`, () => {
    assert.match(complaint(text), /SERVICE_PROVIDER_AUTH_JSON: expected a JSON object that gives/);
  });
}
