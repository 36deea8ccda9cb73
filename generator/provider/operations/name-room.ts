import { longestToolName } from '../../model/texts/names.ts';

/** Room for the number of a name that another operation has already. */
const roomForNumber = 2;

/** Words of fewer letters are hardly known for what they are. */
const fewestLetters = { clear: 5, atAll: 4 } as const;

/** So many words say what a tool is about, if each is cut a little. */
const enoughWords = 3;

export const fillers: ReadonlySet<string> = new Set(
  'a an the of for by to in on with and id'.split(' '),
);

/** What says behind a thing what is done with it: "messages_list". */
const ending =
  /^(?:all|cancel|count|create|delete|destroy|download|export|get|head|list|one|patch|post|put|query|read|replace|retrieve|search|update|upload)$/;

/** So many of the last words say what is done: two in "things_partial_update". */
function endingOf(words: readonly string[]): number {
  const [before, last = ''] = [words.at(-2), words.at(-1)];
  if (!ending.test(last)) return 0;
  return before === 'partial' ? 2 : 1;
}

/**
 * A name that is short enough, or several that a long one may be cut to, the best first: without
 * the words that say least, and with more of the words but fewer of their letters, for where others
 * have the same name then.
 */
export function fitted(name: string, prefix: string): readonly string[] {
  if (name.length <= longestToolName) return [name];
  const all = name.slice(prefix.length).split('_');
  const words = all.filter((word, index) => word !== all[index - 1] && !fillers.has(word));
  const most = longestToolName - roomForNumber - prefix.length;
  const few = without(words, most, 2);
  const { clear, atAll } = fewestLetters;
  const found = [
    cut(few, most, atAll),
    cut(behind(words, most), most, atAll),
    cut(words, most, clear),
    cut(without(words, most, enoughWords), most, clear),
    cut(words, most, atAll),
  ];
  const names = found.flatMap((each) => (each ? [prefix + each.join('_')] : []));
  // Where even two words are too long, what is wrong with the name is told where it is checked.
  return names.length > 0 ? names : [prefix + few.join('_')];
}

/** Fewer words, but for what is done and with what: the others only say where. */
function without(given: readonly string[], most: number, fewest: number): readonly string[] {
  const words = [...given];
  const act = endingOf(words);
  while (words.length > Math.max(fewest, act + 1) && !isWithin(words, most)) {
    const middle = Math.floor((words.length - 1) / 2);
    const thing = words.length - act - 1;
    words.splice(Math.min(middle, thing - 1), 1);
  }
  return words;
}

/** The last of the words, as many as there is room for: where something stands says less than what it is. */
function behind(given: readonly string[], most: number): readonly string[] {
  const at = given.findIndex((_, index) => isWithin(given.slice(index), most));
  const left = given.slice(at < 0 ? given.length : at);
  return left.length < enoughWords ? given : left;
}

/** The same words, the longest ones without their ends; nothing where that leaves too little. */
function cut(
  given: readonly string[],
  most: number,
  fewest: number,
): readonly string[] | undefined {
  const words = [...given];
  // What is done stays a whole word.
  const cuttable = words.length - endingOf(words);
  while (!isWithin(words, most)) {
    const longest = words
      .slice(0, cuttable)
      .reduce((best, word, at) => (word.length > (words[best] ?? '').length ? at : best), 0);
    const word = words[longest] ?? '';
    if (word.length <= fewest) return undefined;
    words[longest] = word.slice(0, -1);
  }
  return words;
}

function isWithin(words: readonly string[], most: number): boolean {
  return words.join('_').length <= most;
}
