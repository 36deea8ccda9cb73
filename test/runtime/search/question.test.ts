import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchWords } from '#contract/search';
import { strengths } from '../../../runtime/search/fit.ts';
import { createReader } from '../../../runtime/search/question.ts';
import { ToolIndex } from '../../../runtime/search/tool-index.ts';

const said: SearchWords = {
  actions: {
    changing: [
      ['deploy', 'release'],
      ['create', 'start'],
    ],
    reading: [['show', 'get']],
  },
  forms: [],
  circumstances: [],
  groups: [['refund', 'money back']],
  relatives: [['instance', 'server']],
  stopWords: ['the', 'of', 'a', 'our', 'this'],
};
const read = createReader(said, () => false);
const kinds = (text: string) => read(text).parts.map(({ kind }) => kind);

test('what stands between a determiner and a preposition is a thing, were it a verb elsewhere', () => {
  assert.deepEqual(kinds('show the deploys of a site'), ['action', 'thing', 'thing']);
  assert.equal(read('show the deploys of a site').many, 'deploy');
  assert.deepEqual(kinds('deploy the site'), ['action', 'thing']);
  assert.deepEqual(kinds('show the release notes'), ['action', 'action', 'thing']);
});

test('a name that ends in s is no plural', () => {
  assert.equal(read('show our Kubernetes clusters').many, 'cluster');
});

test('a thing before a determiner may be an order as well', () => {
  assert.equal(read('Refund a payment').changes, undefined);
  assert.equal(read('Refund of a payment').changes, false);
  assert.equal(read('show a refund').changes, false);
});

const tool = (name: string, changes?: true) => ({
  ...{ tool: name, title: name.replaceAll('_', ' '), text: '', parameters: '' },
  ...{ provider: 'p', providerTitle: 'P', ...(changes && { changes }) },
});

test('what a vendor calls so and another so is found where the vendor is known', async () => {
  const index = await ToolIndex.of([tool('get_instance'), tool('get_site')], said);
  const ask = (provider?: string) =>
    index.search('show the server', 5, { provider }).map((each) => each.tool)[0];
  assert.equal(ask('p'), 'get_instance');
  assert.equal(ask(), undefined);
});

test('what only reads is what somebody wants who reads, in whatever words', () => {
  const concept = new Map(Object.entries({ show: 1, get: 0.4 }));
  const part = { concept, kind: 'action', isGuessed: false, isFamiliar: true } as const;
  assert.ok((strengths([part], {}, true)[0] ?? 0) > 0.5);
  assert.deepEqual(strengths([part], {}, false), [0]);
  assert.deepEqual(strengths([{ ...part, kind: 'thing' }], {}, true), [0]);
});
