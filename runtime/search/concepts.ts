import type { SearchWords } from '#contract/search';
import { wordsOf } from './words.ts';

/** One thing that a question speaks of: the words for it, each with how much it counts. */
export type Concept = ReadonlyMap<string, number>;

/** How many words of a text are one thing, and which. */
export interface Found {
  readonly length: number;
  readonly concept: Concept;
  /** Whether it is in one of the groups. */
  readonly isKnown: boolean;
}

/** What a word counts that only stands for the one that was asked for. */
const synonymWeight = 0.4;

interface Phrase {
  readonly words: readonly string[];
  /** The other members of its group. */
  readonly others: readonly (readonly string[])[];
}

/** Give what finds the things that a question speaks of, with the synonyms of each. */
export function createConcepts(
  groups: SearchWords['groups'],
): (words: readonly string[]) => readonly Found[] {
  const phrases = phrasesOf(groups);
  return (words) => {
    const found: Found[] = [];
    let at = 0;
    while (at < words.length) {
      const here = phrasesAt(phrases, words, at);
      const length = Math.max(1, ...here.map((phrase) => phrase.words.length));
      const longest = here.filter((phrase) => phrase.words.length === length);
      const concept = conceptOf(words.slice(at, at + length), longest);
      found.push({ length, concept, isKnown: longest.length > 0 });
      at += length;
    }
    return found;
  };
}

/** The phrases by their first words. */
function phrasesOf(groups: SearchWords['groups']): ReadonlyMap<string, readonly Phrase[]> {
  const all = groups.flatMap((group) => {
    const members = group.map(wordsOf);
    return members.map((words) => ({ words, others: members.filter((each) => each !== words) }));
  });
  return Map.groupBy(all, ({ words }) => words[0] ?? '');
}

function phrasesAt(
  phrases: ReadonlyMap<string, readonly Phrase[]>,
  words: readonly string[],
  at: number,
): readonly Phrase[] {
  const beginning = phrases.get(words[at] ?? '') ?? [];
  return beginning.filter((phrase) =>
    phrase.words.every((word, index) => words[at + index] === word),
  );
}

/** A word of a phrase of several words says only a part of what the phrase says. */
function conceptOf(own: readonly string[], phrases: readonly Phrase[]): Concept {
  const concept = new Map<string, number>();
  for (const other of phrases.flatMap(({ others }) => others)) {
    const weight = synonymWeight / other.length;
    for (const word of other) concept.set(word, Math.max(concept.get(word) ?? 0, weight));
  }
  for (const word of own) concept.set(word, 1);
  return concept;
}
