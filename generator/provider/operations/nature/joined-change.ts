import { changing, isChangingVerb } from './verbs.ts';

/** What is done besides: a verb behind "and" with what it is done to, or right behind the first one. */
const joinedActs =
  /\b(?:and|then|or) (?:also |then )?(\w+) (an?|the|all|it|its|them|this|these|those)\b|^\w+ and (\w+)\b/gi;

/** What is brought here by whoever only asks whether there is something new. */
const broughtIn =
  /^\W*checks?\b[^.\n]*?\band (?:download|import|install)s? (?:any |the )?(?:latest|missing|new)\b/i;

/** Whether a summary joins what is done to what is asked for: "Get messages and mark them as read". */
export function joinsChange(summary: string): boolean {
  const [sentence = ''] = summary.split(/[.\n]/, 1);
  if (broughtIn.test(sentence)) return true;
  return [...sentence.matchAll(joinedActs)].some(([, joined, what = '', twin = '']) => {
    const word = (joined ?? twin).toLowerCase();
    const isSame = /^(?:it|them)$/i.test(what);
    return [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((verb) =>
      isSame ? changing.has(verb) : isChangingVerb(verb) && !ofOtherMethods.has(verb),
    );
  });
}

/** Verbs of the other methods of a path: one text often tells of all of them. */
const ofOtherMethods = new Set('add create delete post put update'.split(' '));
