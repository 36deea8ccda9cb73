import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { isForCallers, isWarning, sentencesOf, wordSet } from './told-sentences.ts';

/** A sentence that is an address, alone or behind its name, as "Base URL: https://api.acme.example/v1". */
const labelled = /^(?:[\p{L} ]{1,40}:\s*)?https?:\/\/\S+$/iu;

const longest = 200;
const shortest = 10;

/** A sentence of so many operations, and of such a share of them, says nothing of one. */
const fewestAlike = 5;
const shareAlike = 0.1;

/** The sentences that stand in so many descriptions that they tell no operation from the others. */
export function commonSentences(operations: readonly ApiOperation[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { node } of operations) {
    for (const sentence of new Set(sentencesOf(node['description']))) {
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    }
  }
  const least = Math.max(fewestAlike, operations.length * shareAlike);
  return new Set([...counts].flatMap(([sentence, count]) => (count >= least ? [sentence] : [])));
}

/**
 * What the description of an operation says beyond its purpose: its first sentence that says more,
 * whole, or else nothing.
 *
 * @param common what most descriptions say, as `commonSentences` finds it
 */
export function moreOf(
  { node }: ApiOperation,
  purpose: string,
  common: ReadonlySet<string> = new Set(),
): string | undefined {
  const said = new Set([...wordSet(purpose)].map(singular));
  // What stands behind the first sentence of a summary is no part of a name.
  const behind = sentencesOf(node['summary']).slice(1);
  const isNew = (sentence: string) => {
    const told = [...wordSet(sentence)].filter((word) => !framing.test(word)).map(singular);
    return new Set(told).difference(said).size > 1;
  };
  const all = [...sentencesOf(node['description']), ...behind];
  const text = all.find((sentence, at) => {
    const isFitting = sentence.length >= shortest && sentence.length <= longest;
    if (!isFitting || !isNew(sentence) || !isText(sentence) || common.has(sentence)) return false;
    return !showing.test(sentence) || !isNew(all[at - 1] ?? '');
  });
  return text === undefined ? undefined : `${text}.`;
}

/** What sentences are made with that say no more than a phrase: "This operation creates a bed entity". */
const framing =
  /^(?:a(?:nd|pi)|can|call|endpoint|entit(?:y|ies)|method|objects?|operation|records?|resources?|request|th(?:e|is)|will|you)$/;

/** What shows what stands just before it, and says nothing without that. */
const showing = /^for (?:example|instance)\b/i;

function singular(word: string): string {
  return word.replace(/(?<=\w{2})s$/, '');
}

function isText(sentence: string): boolean {
  const isWritten = /^\p{L}/u.test(sentence) && !labelled.test(sentence);
  return isWritten && !isForCallers(sentence) && !isWarning(sentence);
}
