import assert from 'node:assert/strict';
import test from 'node:test';
import { parseJsonPath } from '../../../generator/model/texts/json-path.ts';

const paths: [string, (string | number)[]][] = [
  ['$', []],
  ['$.data', ['data']],
  ['$.data.items[0].id', ['data', 'items', 0, 'id']],
  ['$[1]', [1]],
  ['$.rows[-1].at', ['rows', -1, 'at']],
  ['$.items[*].name', ['items', '*', 'name']],
  ["$['odd name'].x", ['odd name', 'x']],
  ['$["it\'s"]', ["it's"]],
  ["$['it\\'s']", ["it's"]],
  ['$.next-cursor', ['next-cursor']],
];

for (const [text, path] of paths) {
  test(`${text} is a singular path (RFC 9535 section 2.3.5.1)`, () => {
    assert.deepEqual(parseJsonPath(text), path);
  });
}

for (const text of [
  '',
  'data',
  '$data',
  '$..data',
  '$.a[?@.b]',
  '$.a[1:2]',
  '$.a[b]',
  '$.',
  '$.a b',
  '$[*',
]) {
  test(`${JSON.stringify(text)} is none`, () => {
    assert.equal(parseJsonPath(text), undefined);
  });
}
