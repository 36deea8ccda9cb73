import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

/** Bodies of failures whose curation names no path, and the words that reach the model. */
const bodies: readonly (readonly [string, unknown, string | undefined])[] = [
  [
    'the texts of each field (Rails)',
    { errors: { name: ['taken', 'too short'], base: [], age: 'is no number' } },
    'name: taken, too short; age: is no number',
  ],
  [
    'a message, and the texts of each field (Laravel)',
    { message: 'The data was invalid.', errors: { mail: ['taken'] } },
    'The data was invalid: mail: taken',
  ],
  [
    'a title, and the texts of each field (ASP.NET)',
    { title: 'Validation failed', errors: { Name: ['required'] } },
    'Validation failed: Name: required',
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
  [
    'a list of places under a name of its own',
    { exception_detail: [{ loc: ['query', 'cursor'], msg: 'Field required', type: 'missing' }] },
    'cursor: Field required',
  ],
  ['a list of texts', ['one', 'two'], 'one; two'],
  ['a list of texts in a member', { errors: ['one', 'two'] }, 'one; two'],
  [
    'problem details (RFC 9457)',
    { title: 'Wrong', detail: 'Not valid', errors: [{ pointer: '#/age', detail: 'too small' }] },
    'Not valid: #/age: too small',
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
  [
    'the list of a form (Spring)',
    {
      ...{ timestamp: '2026-01-01', status: 400, error: 'Bad Request', path: '/api/things' },
      message: 'Validation failed for object',
      errors: [
        { objectName: 'thing', field: 'pageLimit', rejectedValue: -1, defaultMessage: 'too small' },
        { objectName: 'thing', field: 'b.c', defaultMessage: 'must not be blank' },
      ],
    },
    'Validation failed for object: page_limit: too small; b.c: must not be blank',
  ],
  [
    'what does not fit a type, by its path (ASP.NET)',
    { title: 'One or more errors.', errors: { '$.pageLimit': ['no number'], Other: ['a', 'b'] } },
    'One or more errors: page_limit: no number; Other: a, b',
  ],
  [
    'field violations (Google)',
    {
      error: {
        ...{ code: 400, message: 'Invalid value', status: 'INVALID_ARGUMENT' },
        details: [
          {
            '@type': 'x/BadRequest',
            fieldViolations: [{ field: 'cursor', description: 'too old' }],
          },
        ],
      },
    },
    'Invalid value: cursor: too old',
  ],
  [
    'failures that point into the document or at a parameter (JSON:API)',
    {
      errors: [
        { status: '422', source: { pointer: '/data/attributes/cursor' }, title: 'is too long' },
        { source: { parameter: 'include' }, title: 'Wrong', detail: 'no such relation' },
      ],
    },
    'cursor: is too long; include: no such relation',
  ],
  [
    'issues with their paths (Zod)',
    {
      success: false,
      error: { name: 'ZodError', issues: [{ path: ['cursor', 0], message: 'no' }] },
    },
    'cursor.0: no',
  ],
  [
    'texts by the names of fields (Zod, flat)',
    { fieldErrors: { cursor: ['too short'] }, formErrors: ['one of both'] },
    'cursor: too short; one of both',
  ],
  [
    'the parameter beside the message (Stripe)',
    { error: { type: 'invalid_request_error', param: 'cursor', message: 'No such item' } },
    'cursor: No such item',
  ],
  ['fields at once (Django)', { cursor: ['Required.'], b: ['No.'] }, 'cursor: Required.; b: No.'],
  [
    'a list of messages (Nest)',
    { message: ['a is no', 'b is no'], error: 'Bad Request' },
    'Bad Request: a is no; b is no',
  ],
  [
    'failures by field, each an object (Mongoose)',
    { message: 'Failed', errors: { title: { message: 'is needed', path: 'title' } } },
    'Failed: title: is needed',
  ],
  ['a field of the name of a summary', { errors: { title: 'is needed' } }, 'title: is needed'],
  [
    'parameters that are invalid (RFC 7807)',
    { title: 'Wrong', 'invalid-params': [{ name: 'cursor', reason: 'is none' }] },
    'Wrong: cursor: is none',
  ],
  [
    'the value beside the message (OData)',
    {
      error: { code: 'Bad', message: 'Wrong', details: [{ target: 'cursor', message: 'is none' }] },
    },
    'Wrong: cursor: is none',
  ],
  [
    'what the vendor writes in brackets (JSON:API)',
    { errors: [{ detail: 'is too large', source: { parameter: 'page[limit]' } }] },
    'page_limit: is too large',
  ],
  [
    'nothing that says in words what is wrong',
    { errors: { name: [7] }, fault: {} },
    '{"errors":{"name":[7]},"fault":{}}',
  ],
  ['nothing at all', {}, undefined],
  ['an empty list', [], undefined],
];

const input = { type: 'object', properties: { cursor: {}, page_limit: {} } };

for (const [what, body, words] of bodies) {
  test(`the words of a failure are told: ${what}`, async (t) => {
    const { url } = await startUpstream(t, (response) => sendJson(response, body, 400));
    const { message } = await caller(t, url, { tool: { input } }).failure();
    assert.equal(message, `Acme answered 400${words === undefined ? '' : `: ${words}`}`);
  });
}

for (const [type, body, words] of [
  [
    'application/xml',
    '<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>',
    'no such key',
  ],
  [
    'text/xml',
    '<s:Envelope xmlns:s="urn:x"><s:Body><s:Fault><faultcode>1</faultcode><faultstring>no such row</faultstring></s:Fault></s:Body></s:Envelope>',
    'no such row',
  ],
  [
    'application/xml',
    '<errors><error><field>cursor</field><message>is none</message></error><error><field>b</field><message>no</message></error></errors>',
    'cursor: is none; b: no',
  ],
  ['text/plain', ' cursor must be one \n', 'cursor must be one'],
  ['text/html', '<p>cursor must be one</p>', 'an HTML page: cursor must be one'],
  ['text/plain', '<!doctype html><html><body>x</body></html>', 'an HTML page: x'],
  ['text/html', '<style>p {}</style><script>', 'an HTML page'],
] as const) {
  test(`the words of a failure are told of ${type}: ${words}`, async (t) => {
    const { url } = await startUpstream(t, (response) => {
      response.writeHead(422, { 'content-type': type }).end(body);
    });
    const { message } = await caller(t, url, { tool: { input } }).failure();
    assert.equal(message, `Acme answered 422: ${words}`);
  });
}

test('the words of a failure are few, and no credential is in them', async (t) => {
  const errors = Array.from({ length: 500 }, (_, at) => ({ field: `f${at}`, message: 'no' }));
  const failures = [{ field: 'key', message: 'secret-of-the-house is not known' }, ...errors];
  const { url } = await startUpstream(t, (response) =>
    sendJson(response, { errors: failures }, 400),
  );
  const { message } = await caller(t, url, {
    provider: { auth: [{ type: 'bearer', env: ['T'], required: true }] },
    options: { env: { T: 'secret-of-the-house' } },
  }).failure();
  assert.match(message, /^Acme answered 400: key: \[redacted\] is not known; f0: no; .*f8: no$/);
});

test('the place of what is wrong is told beside a message whose path is known', async (t) => {
  const body = { why: 'Invalid', errors: [{ field: 'cursor', message: 'too old' }] };
  const { url } = await startUpstream(t, (response) => sendJson(response, body, 400));
  const provider = { errors: { message: ['why'] } };
  const { message } = await caller(t, url, { provider, tool: { input } }).failure();
  assert.equal(message, 'Acme answered 400: Invalid: cursor: too old');
});
