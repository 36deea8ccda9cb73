import assert from 'node:assert/strict';
import test from 'node:test';
import { firstCall } from '../../../../generator/provider/first-call.ts';

const operation = (name: string, readOnly: boolean) => ({
  name,
  from: { operationId: name },
  annotations: { readOnly },
});

const fixture = (name: string, given: object) => ({
  name: `fixtures/${name}.json`,
  text: JSON.stringify({ arguments: given }),
  keep: true,
});

function first(calls: Readonly<Record<string, readonly [readOnly: boolean, given: object]>>) {
  const entries = Object.entries(calls);
  const operations = entries.map(([name, [readOnly]]) => operation(name, readOnly));
  const fixtures = entries.map(([name, [, given]]) => fixture(name, given));
  return firstCall(
    { servers: [{ url: 'https://api.example.com' }], auth: [], operations } as never,
    fixtures,
  );
}

test('the call to try first changes nothing, and asks for the least', () => {
  const found = first({
    acme_create: [false, {}],
    acme_get: [true, { id: 'p-1' }],
    acme_list: [true, {}],
  });
  assert.deepEqual(found, { tool: 'acme_list', arguments: '{}' });
});

test('no value of the vendor ends the quotes of the shell, and none is too long to type', () => {
  for (const value of [
    `'; touch x; '`,
    '$(touch x)',
    '`touch x`',
    'a\nb',
    '\u001b[2J',
    '!!',
    'x'.repeat(300),
  ]) {
    const given = { id: value };
    assert.equal(first({ acme_get: [true, given] }), undefined, value);
    const beside = first({
      acme_get: [true, given],
      acme_find: [true, { query: 'red shoes, size 42' }],
    });
    assert.deepEqual(beside, { tool: 'acme_find', arguments: '{"query":"red shoes, size 42"}' });
  }
});
