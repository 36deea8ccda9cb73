import assert from 'node:assert/strict';
import test from 'node:test';
import { areSeveralTaking } from './taking-alternatives.ts';

const text = { type: 'string' };
const user = { type: 'object', properties: { kind: text, user: text }, required: ['kind', 'user'] };
const phone = { type: 'object', properties: { kind: text }, required: ['kind', 'number'] };
const line = { type: 'object', properties: { kind: text }, required: ['kind'] };
const from = { oneOf: [{ $ref: '#/components/schemas/User' }, phone, line] };
const leg = { type: 'object', properties: { from } };
const root = { components: { schemas: { User: user, Legs: { type: 'array', items: leg } } } };
const schema = {
  allOf: [{ properties: { leg } }, { properties: { legs: { $ref: '#/components/schemas/Legs' } } }],
};
const operation = { requestBody: { content: { 'application/json': { schema } } } };

for (const [what, value, expected] of [
  ['a value that two alternatives take', { kind: 'a', user: 'b' }, true],
  ['a value that one alternative takes', { kind: 'a' }, false],
  ['a value that none takes', { user: 'b' }, false],
] as const) {
  test(`${what} is${expected ? '' : ' not'} of several, wherever it stands`, () => {
    const body = { leg: { from: value }, legs: [{ from: value }] };
    for (const steps of [
      ['leg', 'from'],
      ['legs', '0', 'from'],
    ]) {
      assert.equal(areSeveralTaking(operation, root, steps, body), expected);
    }
    assert.equal(areSeveralTaking(operation, root, ['leg'], body), false);
  });
}
