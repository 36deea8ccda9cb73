import type { Concept } from './concepts.ts';
import { type Token, wordsOf } from './words.ts';

/** What is done to a thing, and how questions and names of tools say it. */
const deeds = Object.entries({
  create: 'create add insert new post send make upload register open start write',
  update: 'update edit modify patch replace set put change alter rename',
  delete: 'delete remove destroy clear unset cancel',
}).map(([deed, words]) => ({ deed, words: new Set(wordsOf(words)) }));

/** What a tool counts that does something else than what was asked for, and one that does not say. */
const otherDeed = 0.6;
const unknownDeed = 0.85;

/** What a part of a question wants done; what stands for its words does not count. */
export function deedOf(concept: Concept): string | undefined {
  const said = [...concept].flatMap(([word, weight]) => (weight === 1 ? word : []));
  return deeds.find(({ words }) => said.some((word) => words.has(word)))?.deed;
}

/** Of tools that change the same thing, the one comes first that does what was asked for. */
export function obedience(name: readonly Token[], wanted: string | undefined): number {
  if (wanted === undefined) return 1;
  const own = deeds.find(({ words }) => name.some(({ word }) => words.has(word)))?.deed;
  if (own === undefined) return unknownDeed;
  return own === wanted ? 1 : otherDeed;
}
