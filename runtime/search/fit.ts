import type { Part, PartKind } from './question.ts';

/** How much of a question's sense lies in a part of it. */
const worth: Readonly<Record<PartKind, number>> = {
  thing: 1,
  action: 0.25,
  order: 0.8,
  form: 0.7,
  circumstance: 0.1,
  name: 0.05,
};

/** A thing that is in no name of a tool: nobody knows whether it matters. */
const strangeWorth = 0.6;

/** A thing that a tool can be told to search for. */
const soughtWorth = 0.15;

/** How far a tool is about a word, by where it stands. */
const aboutness: Readonly<Record<string, number>> = {
  tool: 1,
  title: 1,
  provider: 1,
  text: 0.65,
  parameters: 0.5,
};

/** What a word is worth that only stands for what was asked for, or is like it. */
const substitute = 0.85;

/** What any tool that only reads is worth to whoever wants to get or list something. */
const plainRead = 0.65;

/** A tool that is about nothing as much as that is not about what was asked for. */
const leastAbout = 0.8;

/** Where each word that was found stands in a document. */
export type Match = Readonly<Record<string, readonly string[]>>;

/** What a word is worth that only begins with what was asked for, or differs by one letter. */
const resemblance = 0.6;

/** A part of a question, with what the catalogue knows of it. */
export interface Asked extends Part {
  /** Whether no tool says it, and its words are those that are like it. */
  readonly isGuessed: boolean;
  /** Whether tools are called by one of its words. */
  readonly isFamiliar: boolean;
}

/**
 * How far a document is about each part of a question, from 0 to 1. What reads does so whichever of
 * the many words for that it has.
 */
export function strengths(
  parts: readonly Asked[],
  match: Match,
  onlyReads: boolean,
): readonly number[] {
  return parts.map(({ concept, kind, isGuessed }) => {
    const found = strongest(concept, match) * (isGuessed ? resemblance : 1);
    const isPlain = kind === 'action' && (concept.has('get') || concept.has('list'));
    return onlyReads && isPlain ? Math.max(found, plainRead) : found;
  });
}

/**
 * How much of what a question asks for is covered, from 0 to 1, by what is so much about each of its
 * parts. What is no word of any tool may be what a tool is to search for that takes words.
 */
export function coverage(
  parts: readonly Asked[],
  about: readonly number[],
  takesWords: boolean,
): number {
  const isAbout = parts.some(
    ({ kind }, at) => (kind === 'thing' || kind === 'form') && (about[at] ?? 0) > leastAbout,
  );
  let whole = 0;
  let covered = 0;
  parts.forEach(({ kind, isFamiliar }, at) => {
    const found = about[at] ?? 0;
    const strange = isFamiliar ? worth.thing : strangeWorth;
    const missed = takesWords && isAbout ? soughtWorth : strange;
    if (found > 0 || (kind !== 'thing' && kind !== 'form')) whole += worth[kind];
    else whole += kind === 'form' ? worth.circumstance : missed;
    covered += worth[kind] * found;
  });
  return whole === 0 ? 0 : covered / whole;
}

function strongest(concept: Part['concept'], match: Match): number {
  let most = 0;
  for (const [word, weight] of concept) {
    const fields = Object.hasOwn(match, word) ? (match[word] ?? []) : [];
    for (const field of fields) {
      most = Math.max(most, (aboutness[field] ?? 0) * (weight === 1 ? 1 : substitute));
    }
  }
  return most;
}
