import assert from 'node:assert/strict';
import test from 'node:test';
import type { Exchange } from '../mock/recorder.ts';
import { separator } from './separator.ts';
import { type Described, faultOf } from './set-aside.ts';

const sent: Exchange = {
  ...{ method: 'POST', url: '/things/a', headers: {}, body: Buffer.from('{}') },
  ...{ status: 200, answer: Buffer.alloc(0), problem: undefined, violations: [] },
};

function describing(...templates: string[]): Described {
  return describingWith(false, ...templates);
}

function describingWith(isClosed: boolean, ...templates: string[]): Described {
  const rest = {
    statuses: ['200'],
    bodyTypes: () => ['application/json'],
    closesParts: () => isClosed,
    leavesChoice: () => true,
    severalTake: (steps: readonly string[], body: unknown) =>
      steps.join('/') === 'legs/0/from' && body !== undefined,
    signatures: () => ['x-signature'],
  };
  return { at: () => templates.map((template) => ({ template, ...rest })) };
}

test('what a schema forbids of its own parts is its fault, beside a choice too', () => {
  const closed = describingWith(true, '/things/{id}');
  const objection = (...codes: string[]) =>
    codes.map((code) => `request.body ${code}: x`).join(separator);
  const both = objection('oneOf', 'additionalProperties');
  assert.equal(faultOf(sent, both, closed)?.id, 'document-closes-its-parts');
  assert.notEqual(faultOf(sent, both, describing('/things/{id}'))?.id, 'document-closes-its-parts');
  assert.equal(faultOf(sent, objection('additionalProperties', 'required'), closed), undefined);
});

test('paths that differ in names alone are one: which of them a mock takes is no verdict', () => {
  const objection = 'request.path.id type: Request path parameter id must be integer';
  const twice = describing('/things/{id}', '/things/{name}');
  assert.equal(faultOf(sent, objection, twice)?.id, 'document-has-one-path-twice');
  assert.equal(faultOf(sent, objection, describing('/things/{id}')), undefined);
  assert.equal(faultOf(sent, objection, describing('/things/{id}', '/things/a')), undefined);
});

test('a header that no request can have is none that a tool leaves out', () => {
  const objection = (name: string) =>
    `request.header required: Request header must have required property '${name}'`;
  const document = describing('/things/{id}');
  const fault = faultOf(sent, objection('authorization: bearer'), document);
  assert.equal(fault?.id, 'document-header-that-cannot-be');
  assert.equal(faultOf(sent, objection('authorization'), document), undefined);
});

test('a body of lines is none that the mock can read as JSON', () => {
  const objection = 'request.body type: Request body must be object';
  const as = (type: string) => ({ ...sent, headers: { 'content-type': type } });
  const document = describing('/things/{id}');
  assert.equal(faultOf(as('application/x-ndjson'), objection, document)?.id, 'mock-reads-no-lines');
  assert.equal(faultOf(as('application/json'), objection, document), undefined);
});

test('bytes that go as they are are no letters of base64', () => {
  const objection = 'request.body format: Request body must match format "byte"';
  const as = (type: string) => ({ ...sent, headers: { 'content-type': type } });
  const document = describing('/things/{id}');
  const fault = faultOf(as('application/octet-stream'), objection, document);
  assert.equal(fault?.id, 'mock-reads-bytes-as-letters');
  assert.equal(faultOf(as('application/json'), objection, document), undefined);
});

test('a field of a multipart body is none that has to be written as in an address', () => {
  const objection = 'request.body.a undefined: Reserved characters used in request body';
  const as = (type: string) => ({ ...sent, headers: { 'content-type': type } });
  const document = describing('/things/{id}');
  assert.equal(
    faultOf(as('multipart/form-data; boundary=x'), objection, document)?.id,
    'mock-encodes-parts',
  );
  const form = 'application/x-www-form-urlencoded';
  assert.equal(faultOf(as(form), objection, document), undefined);
});

test('a number in an address that is of several alternatives is no fault of the caller', () => {
  const at = (code: string) => ({ location: 'request.query.wait', code, message: 'x' });
  const url = '/things/a?wait=12';
  const objection = 'request.query.wait const: must be equal to constant';
  const document = describing('/things/{id}');
  const ambiguous = { ...sent, url, violations: [at('const'), at('oneOf')] };
  assert.equal(faultOf(ambiguous, objection, document)?.id, 'document-is-ambiguous');
  assert.equal(
    faultOf({ ...ambiguous, violations: [at('const')] }, objection, document),
    undefined,
  );
  const words = { ...ambiguous, url: '/things/a?wait=long' };
  assert.equal(faultOf(words, objection, document), undefined);
});

test('a header that says nothing is no header that a request lacks', () => {
  const document = describing('/things/{id}');
  const lacking = (name: string) =>
    `request.header required: Request header must have required property '${name}'`;
  const fault = faultOf(sent, lacking('content-type'), document);
  assert.equal(fault?.id, 'mock-reads-what-says-nothing');
  assert.equal(faultOf(sent, lacking('x-version'), document), undefined);
  assert.equal(faultOf(sent, lacking('authorization'), document), undefined);
  const odd = (name: string) => faultOf(sent, `request.header.${name} pattern: x`, document)?.id;
  assert.equal(odd('authorization'), 'mock-reads-what-says-nothing');
  assert.equal(odd('user-agent'), 'document-names-the-client');
  assert.equal(odd('accept-encoding'), 'document-names-the-codings');
  assert.equal(odd('x-version'), undefined);
});

test('a header that is worked out from each request is none that a tool can send', () => {
  const document = describing('/things/{id}');
  const lacking = (name: string) =>
    `request.header required: Request header must have required property '${name}'`;
  const signature = lacking('x-signature');
  assert.equal(faultOf(sent, signature, document)?.id, 'document-demands-a-signature');
  assert.equal(faultOf(sent, lacking('x-key'), document), undefined);
  assert.equal(faultOf(sent, [signature, lacking('x-key')].join(separator), document), undefined);
  // What is sent all the same was taken for a key, which is our fault.
  const taken = { ...sent, headers: { 'x-signature': 'a' } };
  assert.equal(faultOf(taken, signature, document), undefined);
});

test('a list of objects in brackets is none that the mock can read', () => {
  const objection = 'request 415: Cannot deserialize JSON object array in form data request body.';
  const document = describing('/things/{id}');
  const as = (text: string) => faultOf({ ...sent, body: Buffer.from(text) }, objection, document);
  assert.equal(as('parts%5B0%5D%5Bid%5D=1')?.id, 'mock-reads-no-deep-lists');
  assert.equal(as('parts=1'), undefined);
});

test('a body of several alternatives is refused by a mock that cannot tell which is meant', () => {
  const at = (code: string) => ({ location: 'request.body', code, message: 'x' });
  const objection = 'request.body oneOf: Request body must match exactly one schema in oneOf';
  const document = describing('/things/{id}');
  const several = { ...sent, violations: [at('oneOf')] };
  assert.equal(faultOf(several, objection, document)?.id, 'mock-makes-no-choice');
  const none = { ...sent, violations: [at('required'), at('oneOf')] };
  assert.equal(faultOf(none, objection, document), undefined);
  // A choice within others: of those around it none fits then, and all that they miss is told.
  const within = { ...at('oneOf'), location: 'request.body.all.1.id' };
  const around = { ...at('required'), location: 'request.body.all.1' };
  const nested = { ...sent, violations: [around, within, at('oneOf')] };
  assert.equal(
    faultOf(nested, 'request.body.all.1 required: x', document)?.id,
    'mock-makes-no-choice',
  );
  const other = {
    ...nested,
    violations: [...nested.violations, { ...around, location: 'request.body.b' }],
  };
  assert.equal(faultOf(other, 'request.body.all.1 required: x', document), undefined);
  const clear = describing('/things/{id}').at('POST', '/things/a');
  const choosing = { at: () => clear.map((each) => ({ ...each, leavesChoice: () => false })) };
  assert.equal(faultOf(several, objection, choosing), undefined);
});

test('a number that is listed as the value of a text is no text that could be sent', () => {
  const objection = (name: string, listed: string) =>
    `request.query.${name} enum: Request query parameter ${name} must be equal to one of the allowed values: ${listed}`;
  const at = { ...sent, url: '/things?Level=2' };
  const fault = (text: string) => faultOf(at, text, describing('/things'))?.id;
  assert.equal(fault(objection('level', '0, 1, 2')), 'document-lists-no-texts');
  assert.equal(fault(objection('level', '0, 1')), undefined);
  assert.equal(fault(objection('other', '0, 1, 2')), undefined);
  const listed = { ...sent, url: '/things?part=a,b' };
  const ofList = (text: string) => faultOf(listed, text, describing('/things'))?.id;
  assert.equal(ofList(objection('part', 'a, b, c')), 'document-lists-no-texts');
  assert.equal(ofList(objection('part', 'a, c')), undefined);
});

test('a value that several alternatives take is of none, whatever the others miss of it', () => {
  const at = (code: string, location: string) => ({ code, location, message: 'x' });
  const fault = (...violations: Exchange['violations']) => {
    const objection = violations.map(({ code, location }) => `${location} ${code}: x`);
    return faultOf({ ...sent, violations }, objection.join(separator), describing('/things'))?.id;
  };
  const own = 'document-has-alike-alternatives';
  const place = 'request.body.legs.0.from';
  assert.equal(fault(at('required', place), at('oneOf', place)), own);
  assert.equal(
    fault(at('oneOf', place), at('type', `${place}.x`), at('oneOf', 'request.body')),
    own,
  );
  assert.notEqual(fault(at('oneOf', place), at('required', 'request.body.legs.0')), own);
  assert.notEqual(fault(at('oneOf', `${place}.other`)), own);
});
