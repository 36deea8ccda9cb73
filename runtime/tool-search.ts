import type { SearchDocument } from '#contract/provider';

/** How much a word counts by where it stands; a word that only begins there counts less. */
const weights: Readonly<Record<keyof SearchDocument, number>> = {
  tool: 6,
  title: 5,
  text: 4,
  parameters: 2,
};

const beginning = 0.5;

/** The tools that have to do with every word, the best ones first. */
export function searchTools(
  documents: readonly SearchDocument[],
  words: readonly string[],
): readonly SearchDocument[] {
  const wanted = words.flatMap(wordsOf);
  return documents
    .map((document) => ({ document, score: score(document, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ document }) => document);
}

function score(document: SearchDocument, wanted: readonly string[]): number {
  const fields = Object.entries(weights).map(([field, weight]) => {
    return { weight, words: wordsOf(document[field as keyof SearchDocument]) };
  });
  const scores = wanted.map((word) =>
    Math.max(0, ...fields.map(({ words, weight }) => weight * match(words, word))),
  );
  return scores.every((each) => each > 0) ? scores.reduce((sum, each) => sum + each, 0) : 0;
}

function match(words: readonly string[], wanted: string): number {
  if (words.includes(wanted)) return 1;
  return words.some((word) => word.startsWith(wanted)) ? beginning : 0;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
