import assert from 'node:assert/strict';
import test from 'node:test';
import { wordsOf } from '../../../runtime/search/words.ts';

const alike: readonly (readonly string[])[] = [
  ['issue', 'issues', 'Issues', 'ＩＳＳＵＥ'],
  ['repository', 'repositories'],
  ['merge', 'merged', 'merging'],
  ['run', 'running', 'runs'],
  ['branch', 'branches'],
  ['movie', 'movies'],
  ['cookie', 'cookies'],
  ['update', 'updated', 'updating', 'updates'],
  ['search', 'searches', 'searching'],
  ['translate', 'translation', 'translations'],
];
for (const words of alike) {
  test(`${words.join(', ')} are one word`, () => {
    assert.equal(new Set(words.flatMap(wordsOf)).size, 1);
  });
}

const different: readonly (readonly [string, string])[] = [
  ['status', 'state'],
  ['string', 'str'],
  ['access', 'acces'],
  ['need', 'ned'],
  ['list', 'lists2'],
  ['ration', 'rat'],
];
for (const [a, b] of different) {
  test(`${a} is not ${b}`, () => {
    assert.notDeepEqual(wordsOf(a), wordsOf(b));
  });
}

test('names come apart, numbers and words of other scripts stay', () => {
  assert.deepEqual(wordsOf('github_issues_list'), ['github', 'issu', 'list']);
  assert.deepEqual(wordsOf('CVE-2021-44228'), ['cve', '2021', '44228']);
  assert.deepEqual(wordsOf('погода, 天気!'), ['погода', '天気']);
  assert.deepEqual(wordsOf(' ?! '), []);
});

test('accents make no difference', () => {
  assert.deepEqual(wordsOf('Café Zürich'), wordsOf('Cafe Zurich'));
});
