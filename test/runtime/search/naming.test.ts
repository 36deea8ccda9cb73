import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { agreement, exactness } from '../../../runtime/search/naming.ts';
import { ToolIndex } from '../../../runtime/search/tool-index.ts';
import { tokensOf } from '../../../runtime/search/words.ts';

const said = {
  actions: { changing: [['create', 'add']], reading: [['get', 'show'], ['list']] },
  forms: [],
  circumstances: [],
  groups: [],
  relatives: [],
  stopWords: ['the', 'of', 'a', 'for'],
};

async function ask(question: string, tools: readonly string[]): Promise<readonly string[]> {
  const documents = tools.map((tool) => ({
    ...{ tool, title: tool.replaceAll('_', ' '), text: '', parameters: '' },
    ...{ provider: 'p', providerTitle: 'P' },
  }));
  const index = await ToolIndex.of(documents, said);
  return index.search(question, 5, { provider: 'p' }).map(({ tool }) => tool);
}

suite('of tools about the same thing', () => {
  test('those that give several come first where several are asked for', async () => {
    const tools = ['get_crate', 'get_crates'];
    assert.equal((await ask('show the crates', tools))[0], 'get_crates');
    assert.equal((await ask('show the crate', tools))[0], 'get_crate');
    const singular = ['fetch_crate', 'list_crate'];
    assert.equal((await ask('show the crates', singular))[0], 'list_crate');
  });

  test('names that end in a verb for one thing give one, in the plural, too', () => {
    assert.ok(
      agreement(tokensOf('crates_get'), 'crat') < agreement(tokensOf('get_crates'), 'crat'),
    );
    assert.equal(agreement(tokensOf('crates_list'), 'crat'), 1);
    assert.equal(agreement(tokensOf('crate'), undefined), 1);
  });

  test('words that say how it is got make a name no less exact than words for other things', () => {
    const wanted = { vendor: [], isKnown: true, isAsked: (word: string) => word === 'box' };
    const exact = (name: string) => exactness(tokensOf(name), wanted);
    assert.ok(exact('get_box_by_id') > exact('get_box_lid'));
    assert.equal(
      exactness(tokensOf('list_box'), { ...wanted, isKnown: false }),
      exactness(tokensOf('create_box'), { ...wanted, isKnown: false }),
    );
    assert.equal(exactness(tokensOf('p_box'), { ...wanted, vendor: ['p'] }), 1);
  });
});
