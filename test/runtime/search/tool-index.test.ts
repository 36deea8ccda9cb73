import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SearchWords } from '#contract/search';
import { ToolIndex } from '../../../runtime/search/tool-index.ts';

const documents = [
  ['acme_contact_get', 'Get a contact', 'Read one contact', 'id of the contact'],
  ['acme_deal_list', 'List deals', 'List deals, each with its contact', 'limit cursor'],
  ['acme_note_create', 'Create a note', 'Write a note', 'contact text'],
  ['zeta_note_create', 'Create a note', 'Write a note', 'text'],
].map(([tool = '', title = '', text = '', parameters = '']) => ({
  tool,
  title,
  text,
  parameters,
  provider: tool.slice(0, 4),
  providerTitle: tool.startsWith('acme') ? 'Acme CRM' : 'Zeta notebook',
}));
const document = { text: '', parameters: '', provider: 'p', providerTitle: 'P' };
const none: SearchWords = {
  actions: { changing: [], reading: [] },
  forms: [],
  circumstances: [],
  groups: [],
  relatives: [],
  stopWords: [],
};
const words = { ...none, groups: [['person', 'contact']], stopWords: ['the', 'a', 'of'] };
const index = await ToolIndex.of(documents, words);
const find = (question: string, limit = 10, provider?: string) =>
  index.search(question, limit, { provider }).map(({ tool }) => tool);

const cases: readonly [question: string, first: string][] = [
  ['contact', 'acme_contact_get'],
  ['get THE contacts', 'acme_contact_get'],
  ['list of deals', 'acme_deal_list'],
  ['person', 'acme_contact_get'],
  ['notebook note', 'zeta_note_create'],
  ['acme_note_create', 'acme_note_create'],
  ['cont', 'acme_contact_get'],
  ['contackt', 'acme_contact_get'],
];
for (const [question, first] of cases) {
  test(`"${question}" finds ${first} first`, () => {
    assert.equal(find(question)[0], first);
  });
}

suite('limits and filters', () => {
  test('at most so many are found, in the order of the documents where they are alike', () => {
    assert.deepEqual(find('create note', 1), ['acme_note_create']);
    assert.deepEqual(find('create note'), ['acme_note_create', 'zeta_note_create']);
  });

  test('a vendor confines a search', () => {
    assert.deepEqual(find('note', 10, 'zeta'), ['zeta_note_create']);
    assert.deepEqual(find('note', 10, 'none'), []);
  });

  test('what has to do with nothing finds nothing', () => {
    for (const question of ['xyzzy', '', '?', '__proto__', 'constructor toString']) {
      assert.deepEqual(find(question), [], question);
    }
  });

  test('a question of stop words alone is no error', () => {
    assert.deepEqual(find('the of a'), []);
  });
});

test('among many tools for common words those are found that have the word itself', async () => {
  const many = Array.from({ length: 600 }, (_, number) => ({
    ...document,
    tool: `v${number}_user_list`,
    title: 'List users',
  }));
  const rare = { ...document, tool: 'zeta_member_list', title: 'List members' };
  const groups = [['user', 'member']];
  const crowd = await ToolIndex.of([rare, ...many], { ...none, groups });
  assert.match(crowd.search('list users', 1)[0]?.tool ?? '', /_user_list$/);
});

suite('what is asked for decides', () => {
  const tools = [
    ['deal_create', 'Create a deal', true],
    ['deal_list', 'List deals', false],
    ['deal_search', 'Search deals by words', false],
    ['parcel_list', 'List parcels', false],
  ] as const;
  const trading = tools.map(([tool, title, changes]) => ({
    ...document,
    ...{ tool, title, text: title },
    ...(changes && { changes }),
    ...(tool === 'deal_search' && { takesWords: true as const }),
  }));
  const said: SearchWords = {
    actions: { changing: [['create', 'make', 'open']], reading: [['list', 'all']] },
    forms: [],
    circumstances: ['today'],
    groups: [['parcel', 'package']],
    relatives: [],
    stopWords: ['the', 'a', 'of', 'which', 'to', 'with', 'about'],
  };
  const ask = async (question: string) =>
    (await ToolIndex.of(trading, said)).search(question, 5).map(({ tool }) => tool);

  test('tools that change something come first only where something is to be changed', async () => {
    assert.equal((await ask('make a deal'))[0], 'deal_create');
    assert.equal((await ask('deals')).at(-1), 'deal_create');
  });

  test('an order in a word that nobody knows may want a change or none', async () => {
    assert.equal((await ask('frobnicate the deal'))[0], 'deal_create');
    assert.equal((await ask('which deal'))[0], 'deal_list');
  });

  test('a question whose things no tool is about finds nothing', async () => {
    for (const question of ['paint the fence with brushes', 'list fences', 'make a sandwich']) {
      assert.deepEqual(await ask(question), [], question);
    }
    assert.deepEqual(await ask('paint a parcel with brushes'), []);
  });

  test('names and times take nothing away', async () => {
    assert.deepEqual(await ask('packages of Ada Lovelace, London, today'), ['parcel_list']);
  });

  test('what a tool can search for need not be in its own words', async () => {
    assert.deepEqual(await ask('deals about wooden fences with brushes'), ['deal_search']);
  });

  test('the nearest vendors are named where nothing fits', async () => {
    const known = await ToolIndex.of(trading, said);
    assert.deepEqual(known.nearest('paint a parcel with brushes', 3), ['p']);
    assert.deepEqual(known.nearest('xyzzy', 3), []);
  });
});

test('an index of nothing finds nothing', async () => {
  const empty = await ToolIndex.of([], words);
  assert.deepEqual(empty.search('anything', 5), []);
});
