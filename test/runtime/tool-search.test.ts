import assert from 'node:assert/strict';
import test from 'node:test';
import { searchTools } from '../../runtime/tool-search.ts';

const documents = [
  ['acme_contact_get', 'Get a contact', 'Read one contact', 'id of the contact'],
  ['acme_deal_list', 'List deals', 'List deals, each with its contact', 'limit cursor'],
  ['acme_note_create', 'Create a note', 'Write a note', 'contact text'],
].map(([tool = '', title = '', text = '', parameters = '']) => ({ tool, title, text, parameters }));

const cases: readonly [words: string[], tools: string[]][] = [
  [['contact'], ['acme_contact_get', 'acme_deal_list', 'acme_note_create']],
  [['CONTACT', 'list'], ['acme_deal_list']],
  [['note_create'], ['acme_note_create']],
  [['cont'], ['acme_contact_get', 'acme_deal_list', 'acme_note_create']],
  [['ontact'], []],
  [['contact', 'zebra'], []],
];
for (const [words, tools] of cases) {
  test(`${words} finds ${tools}`, () => {
    assert.deepEqual(
      searchTools(documents, words).map(({ tool }) => tool),
      tools,
    );
  });
}
