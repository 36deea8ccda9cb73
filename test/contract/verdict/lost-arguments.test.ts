import assert from 'node:assert/strict';
import test from 'node:test';
import { lostArguments } from './lost-arguments.ts';

const sent = { method: 'POST', url: '/things/a%20b?q=x+y', headers: { 'x-id': '7' } };

test('values are found in the address, the headers and the body, and missed elsewhere', () => {
  const exchange = {
    ...sent,
    body: Buffer.from('{"name":"say \\"é\\"","file":"hello world"}'),
    ...{ status: 200, answer: Buffer.from(''), problem: undefined, violations: [] },
  };
  const args = { id: 'a b', q: 'x y', n: 7, name: 'say "é"', file: 'aGVsbG8gd29ybGQ=' };
  assert.deepEqual(lostArguments(args, exchange), []);
  assert.deepEqual(lostArguments({ deep: [{ gone: 'zzz' }] }, exchange), ['.deep[0].gone']);
});
