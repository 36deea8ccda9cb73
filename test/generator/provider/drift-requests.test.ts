import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, RequestPlan, Value } from '../../../generator/model/shape/request-plan.ts';
import { requestChanges } from '../../../generator/provider/drift/request-form.ts';

const plan: RequestPlan = { method: 'GET', path: [{ text: '/a' }], query: [], headers: [] };
const born: Value = { kind: 'argument', name: 'born' };
const called = (helper: 'deep' | 'csv' | 'digits'): Value => ({
  ...{ kind: 'call', helper, value: born },
  ...(helper === 'deep' && { before: ['born'] }),
});
const named = (value: Value): Field => ({ name: 'born', value });
const json = (contentType?: string): RequestPlan => ({
  ...plan,
  body: {
    ...{ kind: 'json', optional: false, value: { kind: 'object', fields: [named(born)] } },
    ...(contentType !== undefined && { contentType }),
  },
});

for (const [what, was, now, expected] of [
  [
    'another style in the query',
    { ...plan, query: [{ spread: called('deep') }] },
    { ...plan, query: [named(called('csv'))] },
    ['born is sent as query born by csv(), not query by deep("born")'],
  ],
  [
    'a header instead of the query',
    { ...plan, query: [named(born)] },
    { ...plan, headers: [named(born)] },
    ['born is sent as header born, not query born'],
  ],
  [
    'another media type of the body',
    json('application/merge-patch+json'),
    json('application/json-patch+json'),
    ['body is sent as application/json-patch+json, not application/merge-patch+json'],
  ],
  ['another server', plan, { ...plan, server: 'files' }, ['server is files, not the first']],
  ['a charset', json(), json('application/json; charset=utf-8'), []],
  [
    'another type of the same text',
    { ...plan, query: [named(born)] },
    { ...plan, query: [named(called('digits'))] },
    [],
  ],
  ['an argument that is gone', { ...plan, query: [named(born)] }, plan, []],
] as const) {
  test(`requests differ by ${what}: ${expected.length === 0 ? 'no' : 'yes'}`, () => {
    assert.deepEqual(requestChanges(was, now), expected);
  });
}
