import { type Token, wordsOf } from './words.ts';

/** What a tool loses of whose name no word was asked for. */
const inexactShare = 0.55;

/** What says in names how something is asked for, not what, and what such a word counts. */
const light = new Set(
  wordsOf('get list show fetch retrieve read by id the of for api route v1 v2 v3 1 2 3'),
);

const lightWeight = 0.2;

/** How names say that a tool gives several things, wherever it stands in them, and one, at their end. */
const giveMany = new Set(wordsOf('list search find query browse all'));
const giveOne = new Set(wordsOf('get fetch retrieve read show info describe'));

/** What is asked for in the plural counts in a tool of one of these, and in one that speaks of other things. */
const oneForMany = 0.6;
const otherForMany = 0.85;
const pluralForMany = 0.98;

/** What a question says of names. */
interface Wanted {
  /** Words that all names of the vendor have. */
  readonly vendor: readonly string[];
  /** Whether it says what is to be done. */
  readonly isKnown: boolean;
  readonly isAsked: (word: string) => boolean;
}

/**
 * Of tools that are about the same, the one comes first whose name says no more than was asked for.
 * Where nobody knows what is to be done, what the name says of that counts as much as all else.
 */
export function exactness(name: readonly Token[], { vendor, isKnown, isAsked }: Wanted): number {
  let whole = 0;
  let found = 0;
  for (const { word } of name) {
    if (vendor.includes(word)) continue;
    const weight = isKnown && light.has(word) ? lightWeight : 1;
    whole += weight;
    if (isAsked(word)) found += weight;
  }
  return whole === 0 ? 1 : 1 - inexactShare * (1 - found / whole);
}

/** The same of tools that give one thing and of those that give several: "show the messages". */
export function agreement(name: readonly Token[], many: string | undefined): number {
  if (many === undefined || name.some(({ word }) => giveMany.has(word))) return 1;
  const same = name.filter(({ word }) => word === many);
  if (same.length === 0) return otherForMany;
  const isOne = giveOne.has(name.at(-1)?.word ?? '') || !same.some(({ isMany }) => isMany);
  return isOne ? oneForMany : pluralForMany;
}
