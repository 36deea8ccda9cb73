import { type ApiOperation, pathParts } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { imperativeOf, isHarmless } from './said-to-act.ts';
import { changing, isChangingVerb, replacingVerbs } from './verbs.ts';

/** Verbs of what comes to what is there, and takes nothing of it away. */
const adding = new Set(
  `accept activate add answer append ask associate assign attach authenticate book build clone comment confirm copy
  create duplicate enable enroll execute expand follow fork forward generate import initiate insert invite issue join
  launch link log make message notify post print publish pull put rate react record register remind reply report request
  resend respond restore resume run schedule send share sign star start submit subscribe test track trigger unarchive untrash
  upload use verify`.split(/\s+/),
);

/** Those of them that leave no doubt, and those of whoever only asks. */
const makingNew = new Set('add append create import insert new register'.split(' '));
const asking = new Set(
  'describe fetch find get list lookup query read retrieve return search show'.split(' '),
);

/** Verbs with which what was before is another thing afterwards, or gone. */
const altering = new Set(
  `apply change configure convert decrement increment merge migrate move promote rebase reorder replace rescale resize revert save scale set swap
  switch toggle transfer`.split(/\s+/),
);

/**
 * Whether a POST makes something else of what is there. It is taken to add something to it where its verb says
 * so, and where there is none; what is done with one thing by any other verb changes it.
 */
export function changesThing(
  { id = '', path }: Pick<ApiOperation, 'id' | 'path'>,
  summary: string,
): boolean {
  const parts = pathParts(path);
  const last = actIn(parts.findLast((part) => !part.startsWith('{')) ?? '');
  const [first = ''] = actIn(id);
  // `transferSubmit` at `/transfer/submit` is about transfers.
  const named = first === parts[0] ? '' : first;
  const [told = ''] = actIn(summary.replace(/^\W*sets? ?up\b/i, 'make'));
  const verbs = [named, last[0] ?? '', told];
  if (verbs.some((verb) => isOneOf(makingNew, verb)) || isOneOf(asking, verbs[2] ?? ''))
    return false;
  if (verbs.some((verb) => isOneOf(altering, verb))) return true;
  if (verbs.some((verb) => isOneOf(adding, verb))) return false;
  const isOfThing = /^\{/.test(parts.at(-2) ?? '') && !/^\{/.test(parts.at(-1) ?? '');
  const act = imperativeOf(summary);
  return isOfThing && ((act !== undefined && !isHarmless(act)) || isAct(last));
}

/** Whether a part of a path begins with what is done: `mark` alone may be a thing, in `mark_lost` it is none. */
function isAct([verb = '', ...things]: readonly string[]): boolean {
  if (replacingVerbs.has(verb)) return false;
  return isChangingVerb(verb) || (things.length > 0 && changing.has(verb));
}

/** The words of a name from its verb on: what is done with many at once is done with them. */
function actIn(name: string): readonly string[] {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return /^(?:batch|bulk|mass)$/.test(words[0] ?? '') ? words.slice(1) : words;
}

function isOneOf(verbs: ReadonlySet<string>, word: string): boolean {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((verb) => verbs.has(verb));
}
