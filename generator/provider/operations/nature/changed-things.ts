import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { imperativeOf, isHarmless } from './said-to-act.ts';

/** Verbs of what comes to what is there, and takes nothing of it away. */
const adding = new Set(
  `accept activate add answer append ask associate assign attach authenticate book build clone comment confirm copy
  create duplicate enable enroll execute expand follow fork forward generate import initiate insert invite issue join
  launch link log make message notify post print publish put rate react record register remind reply report request
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
  `apply change configure convert merge migrate move promote rebase reorder replace revert save set swap switch
  toggle transfer`.split(/\s+/),
);

/**
 * Whether a POST makes something else of what is there. It is taken to add something to it where its verb says
 * so, and where there is none; what is done with one thing by any other verb changes it.
 */
export function changesThing(
  { id = '', path }: Pick<ApiOperation, 'id' | 'path'>,
  summary: string,
): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  const last = wordsOf(parts.findLast((part) => !part.startsWith('{')) ?? '');
  const [first = ''] = wordsOf(id);
  // `transferSubmit` at `/transfer/submit` is about transfers.
  const named = first === parts[0] ? '' : first;
  const [told = ''] = wordsOf(summary.replace(/^\W*sets? ?up\b/i, 'make'));
  const verbs = [named, last[0] ?? '', told].map((word) => word.toLowerCase());
  if (verbs.some((verb) => isOneOf(makingNew, verb)) || isOneOf(asking, verbs[2] ?? ''))
    return false;
  if (verbs.some((verb) => isOneOf(altering, verb))) return true;
  if (verbs.some((verb) => isOneOf(adding, verb))) return false;
  const isOfThing = /^\{/.test(parts.at(-2) ?? '') && !/^\{/.test(parts.at(-1) ?? '');
  const act = imperativeOf(summary);
  return isOfThing && act !== undefined && !isHarmless(act);
}

function isOneOf(verbs: ReadonlySet<string>, word: string): boolean {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((verb) => verbs.has(verb));
}
