import assert from 'node:assert/strict';
import test from 'node:test';
import { answerLooks } from '../../../generator/provider/draft/answer-looks.ts';
import { draftOperation } from '../../../generator/provider/draft/draft-operation.ts';
import { natureIn } from './guess/described.ts';

const text = { in: 'query', schema: { type: 'string' } };

const formed = (usual: string, other: string) => ({
  ...{ ...text, name: 'format' },
  schema: { type: 'string', enum: [usual, other], default: usual },
});

const looksOf = (...parameters: object[]) => {
  const { document, nature } = natureIn('/things', { parameters, responses: {} });
  return answerLooks(document, nature.operation);
};

test('what all methods of a Google API take is nothing for agents, but for the fields they want', () => {
  const names = ['$.xgafv', 'alt', 'callback', 'fields', 'quotaUser', 'uploadType', 'name'];
  const parameters = names.map((name) => ({ ...text, name }));
  const hidden = ['$.xgafv', 'alt', 'callback', 'quotaUser', 'uploadType'];
  assert.deepEqual(looksOf(...parameters), hidden);
  const { document, nature } = natureIn('/things', { parameters, responses: {} });
  const auth = { auth: { type: 'none' as const }, review: '' };
  const choices = { name: 'acme_things', usual: undefined, auth, texts: true };
  // A name that no tool has is not made another one.
  assert.deepEqual(draftOperation(document, nature, choices).params, { hide: hidden });
});

for (const [what, parameter, isHidden] of [
  ['whether JSON is indented', { ...text, name: 'pretty' }, true],
  ['whether JSON is indented, by its long name', { ...text, name: '_prettyPrint' }, true],
  ['what is pretty', { ...text, name: 'pretty_name' }, false],
  ['a function of JSONP', { ...text, name: 'callback', description: 'JSONP function' }, true],
  ['an address to be told at', { ...text, name: 'callback', description: 'Your URL' }, false],
  ['a type of upload that is demanded', { ...text, name: 'uploadType', required: true }, false],
  ['one name of those that Google has', { ...text, name: 'alt' }, false],
  ['a form that is JSON unless one is chosen', formed('json', 'xml'), true],
  ['a form that is XML unless one is chosen', formed('xml', 'json'), false],
  ['a form that says what is in a file', formed('json', 'csv'), false],
  ['a header', { ...text, in: 'header', name: 'pretty' }, false],
] as const) {
  test(`${isHidden ? 'no agent is' : 'agents are'} asked for ${what}`, () => {
    assert.equal(looksOf(parameter).length, isHidden ? 1 : 0);
  });
}

test('a member of a body that is called the same stays', () => {
  const properties = { pretty: { type: 'string' } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const operation = {
    parameters: [{ ...text, name: 'pretty' }],
    requestBody: { content },
    responses: {},
  };
  const { document, nature } = natureIn('/things', operation, 'post');
  assert.deepEqual(answerLooks(document, nature.operation), []);
});
