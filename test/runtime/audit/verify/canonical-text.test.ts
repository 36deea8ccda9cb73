import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCanonical } from '../../../../runtime/audit/verify/verify.ts';

const canonical = [
  '{}',
  '{"a":{"b":[1,"\\u0007",{"c":null}]},"b":-1.5e-7}',
  '{"10":1,"2":2,"a":3}',
  '{"":0,"A":1,"a":2,"é":3,"😀":4,"\uffff":5}',
  '{"a":"\\\\ud800 said with a backslash"}',
  '{"__proto__":1}',
];
for (const text of canonical) {
  test(`RFC 8785: ${text} is canonical`, () => {
    assert.deepEqual(JSON.stringify(parseCanonical(text)), JSON.stringify(JSON.parse(text)));
  });
}

const others = [
  '{"2":2,"10":1}',
  '{"b":1,"a":2}',
  '{"a":[{"c":1,"b":2}]}',
  '{"a":1,"a":1}',
  '{"a":1.0}',
  '{"a":-0}',
  '{"a":1 }',
  '{"a":"\\/"}',
  '{"a":"\\u0041"}',
  '{"a":"\\uD800"}',
  '{"a":"\\ud800"}',
  '{"\\udc00":1}',
  '{"a":"\\ud83d\\ude00"}',
  '["a"]',
  '{"a":',
];
for (const text of others) {
  test(`RFC 8785: ${text} is not the canonical text of an object`, () => {
    assert.equal(parseCanonical(text), undefined);
  });
}

test('nesting that no parser would follow is refused, not a crash', () => {
  assert.equal(parseCanonical(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), undefined);
});
