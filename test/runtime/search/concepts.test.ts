import assert from 'node:assert/strict';
import test from 'node:test';
import { createConcepts } from '../../../runtime/search/concepts.ts';
import { wordsOf } from '../../../runtime/search/words.ts';

const groups = [
  ['pull request', 'pr'],
  ['request', 'ask'],
  ['label', 'tag'],
  ['branch', 'tag'],
];
const concepts = createConcepts(groups);
const of = (text: string) =>
  concepts(wordsOf(text)).map(({ concept }) => Object.fromEntries(concept));

test('each word is a thing of its own, with what stands for it', () => {
  assert.deepEqual(of('open label'), [{ open: 1 }, { label: 1, tag: 0.4 }]);
});

test('a word of several groups brings the words of all', () => {
  assert.deepEqual(of('tag'), [{ tag: 1, label: 0.4, branch: 0.4 }]);
});

test('words that belong together are one thing, and the longest such words count', () => {
  assert.deepEqual(of('pull request'), [{ pull: 1, request: 1, pr: 0.4 }]);
  assert.deepEqual(of('request'), [{ request: 1, ask: 0.4 }]);
  assert.deepEqual(of('pull label'), [{ pull: 1 }, { label: 1, tag: 0.4 }]);
});

test('each of several words that stand for one counts less', () => {
  assert.deepEqual(of('pr'), [{ pr: 1, pull: 0.2, request: 0.2 }]);
});

test('a name of the language is a word like any other', () => {
  assert.deepEqual(of('constructor'), [{ constructor: 1 }]);
  assert.deepEqual(of(''), []);
});
