import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { searchWords } from '../../../generated/search-words.ts';
import { type ToolDocument, ToolIndex } from '../../../runtime/search/tool-index.ts';
import { plainQuestions, questions, realDocuments } from './real-documents.ts';
import { syntheticDocuments } from './synthetic-tools.ts';

// The questions stand in questions.tsv; nobody who wrote them had seen the index or its synonyms.

const shown = 5;
const all = questions();
let real: readonly ToolDocument[];
before(async () => {
  real = await realDocuments();
});

test('each question expects a tool that exists, and there are enough of them', () => {
  const names = new Set(real.map(({ tool }) => tool));
  const wrong = all.filter(({ tool }) => !names.has(tool));
  assert.deepEqual(wrong, []);
  assert.ok(all.length >= 200);
  assert.equal(new Set(all.map(({ question }) => question)).size, all.length);
});

async function missed(documents: readonly ToolDocument[]): Promise<readonly string[]> {
  const index = await ToolIndex.of(documents, searchWords);
  return all.flatMap(({ tool, question }) => {
    const found = index.search(question, shown).map((document) => document.tool);
    return found.includes(tool) ? [] : `${question}: ${tool} is not among ${found.join(' ')}`;
  });
}

suite('nine of ten questions find their tool among the first five', () => {
  test('in the catalogue of all providers', async () => {
    const misses = await missed(real);
    assert.ok(misses.length <= all.length * 0.1, misses.join('\n'));
  });

  test('with 10,000 tools of other vendors around it', async () => {
    const misses = await missed([...real, ...syntheticDocuments(10_000)]);
    assert.ok(misses.length <= all.length * 0.1, misses.join('\n'));
  });
});

/** How many find a tool that answers them, and how many of those without an answer find nothing. */
async function shares(file: string) {
  const index = await ToolIndex.of(real, searchWords);
  const asked = plainQuestions(file).map(({ tools, question }) => {
    const found = index.search(question, shown).map(({ tool }) => tool);
    const isRight =
      tools.length === 0 ? found.length === 0 : tools.some((tool) => found.includes(tool));
    return { tools, isRight, line: `${question}: ${found.join(' ')}` };
  });
  const shareOf = (some: typeof asked) =>
    some.filter(({ isRight }) => isRight).length / some.length;
  return {
    answered: shareOf(asked.filter(({ tools }) => tools.length > 0)),
    recognised: shareOf(asked.filter(({ tools }) => tools.length === 0)),
    lines: asked.flatMap(({ isRight, line }) => (isRight ? [] : line)).join('\n'),
  };
}

suite('questions by people who know nothing but the names of the vendors', () => {
  test('nine of ten find a tool, and eight of ten without an answer find nothing', async () => {
    const { answered, recognised, lines } = await shares('plain-questions.tsv');
    assert.ok(answered >= 0.9, `${answered}\n${lines}`);
    assert.ok(recognised >= 0.8, `${recognised}\n${lines}`);
  });

  // Nothing was changed after these had been written: so well the search does with any others.
  test('of others, eight of ten', async () => {
    const { answered, recognised, lines } = await shares('later-questions.tsv');
    assert.ok(answered >= 0.8, `${answered}\n${lines}`);
    assert.ok(recognised >= 0.8, `${recognised}\n${lines}`);
  });

  test('name tools that exist', () => {
    const names = new Set(real.map(({ tool }) => tool));
    const asked = ['plain-questions.tsv', 'later-questions.tsv'].flatMap(plainQuestions);
    assert.deepEqual(
      asked.flatMap(({ tools }) => tools).filter((tool) => !names.has(tool)),
      [],
    );
  });
});

test('a question is answered alike by each index and whatever was asked before', async () => {
  const sample = all.filter((_, index) => index % 20 === 0);
  const first = await ToolIndex.of(real, searchWords);
  const second = await ToolIndex.of(real, searchWords);
  for (const { question } of sample) second.search(question, shown);
  for (const { question } of sample) {
    assert.deepEqual(second.search(question, shown), first.search(question, shown));
  }
});
