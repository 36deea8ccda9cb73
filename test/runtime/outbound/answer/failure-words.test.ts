import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

/** Bodies of failures whose curation names no path, and the words that reach the model. */
const bodies: readonly (readonly [string, unknown, string | undefined])[] = [
  [
    'the texts of each field (Rails)',
    { errors: { name: ['taken', 'too short'], base: [], age: 'is no number' } },
    'name taken, too short; age is no number',
  ],
  [
    'a message, and the texts of each field (Laravel)',
    { message: 'The data was invalid.', errors: { mail: ['taken'] } },
    'The data was invalid.: mail taken',
  ],
  [
    'a title, and the texts of each field (ASP.NET)',
    { title: 'Validation failed', errors: { Name: ['required'] } },
    'Validation failed: Name required',
  ],
  [
    'a fault (Apigee)',
    { fault: { faultstring: 'quota used up', detail: { errorcode: 'x.y' } } },
    'quota used up',
  ],
  [
    'a list of failures (Salesforce)',
    [{ errorCode: 'X', message: 'no such field' }, { message: 'no such row' }],
    'no such field; no such row',
  ],
  ['a list of texts', ['one', 'two'], 'one; two'],
  ['a list of texts in a member', { errors: ['one', 'two'] }, 'one; two'],
  [
    'problem details (RFC 9457)',
    { title: 'Wrong', detail: 'Not valid', errors: [{ pointer: '#/age', detail: 'too small' }] },
    'Not valid: #/age too small',
  ],
  [
    'where each value stands (FastAPI)',
    {
      detail: [
        { loc: ['query', 'q'], msg: 'field required' },
        { loc: ['body', 0], msg: 'no' },
      ],
    },
    'query.q: field required; body.0: no',
  ],
  ['nothing that says what is wrong', { errors: { name: [7] }, fault: {} }, undefined],
  ['an empty list', [], undefined],
];

for (const [what, body, words] of bodies) {
  test(`the words of a failure are told: ${what}`, async (t) => {
    const { url } = await startUpstream(t, (response) => sendJson(response, body, 400));
    const { message } = await caller(t, url).failure();
    assert.equal(message, `Acme answered 400${words === undefined ? '' : `: ${words}`}`);
  });
}
