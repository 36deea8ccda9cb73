import { type ApiOperation, pathParts } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';

/** How a text begins that calls a search what it is. */
export const searchRun =
  /^(?:runs? (?:an? |the |multiple |several )?(?:(?!by\b)\w+ ){0,2}(?:quer(?:y|ies)|search(?:es)?)|(?:conduct|execute|perform)s? (?:an? |the )?(?:(?!by\b)\w+ ){0,2}(?:look-?ups?|search(?:es)?))\b(?! and replace)/i;

/** A name without what it belongs to (`InfoService_CollectEvent` collects), its pull requests as the things that they are. */
export function ownName({ id = '' }: ApiOperation): string {
  return id
    .replace(/^[A-Za-z]\w*?(?:Controller|Service)[._](?=[A-Za-z])/, '')
    .replace(/pull[-_ ]?request/gi, 'pr');
}

/** All that is said of an operation. */
export function textsOf({ node }: ApiOperation): string {
  return `${node['summary'] ?? ''}\n${node['description'] ?? ''}`;
}

/** What follows an "and": `getAndDelete` begins with what it does least. */
export function joinedVerbs({ id }: ApiOperation, summary: string): string[] {
  const [sentence = ''] = summary.split(/[.\n]/, 1);
  return [id ?? '', sentence].flatMap((text) => {
    const words = smallWords(text);
    return words.filter((_, index) => /^(?:and|or|then)$/.test(words[index - 1] ?? ''));
  });
}

/** The words of a name or a text, with one verb where two are one act: to count up is no question. */
export function wordsOfAct(text: string): readonly string[] {
  const words = smallWords(text);
  return words.flatMap((word, at) => {
    if (/^(?:up|down)$/.test(word) && /^counts?$/.test(words[at - 1] ?? '')) return [];
    return /^counts?$/.test(word) && /^(?:up|down)$/.test(words[at + 1] ?? '')
      ? ['increment']
      : [word];
  });
}

/** The words that may be the verb: the ends of its id, of its path, and how its summary begins. */
export function verbsOf(operation: ApiOperation, summary: string): string[] {
  const [first = '', ...rest] = wordsOfAct(ownName(operation));
  // Frameworks put the method at the end of the names that they make up.
  const isMethod = rest.at(-1) === operation.method.toLowerCase();
  const others = isMethod ? rest.slice(0, -1) : rest;
  const lastOfPath = verbAt(wordsOfAct(fixedParts(operation).at(-1) ?? ''), -1);
  const [verbOfSummary = '', next = ''] = wordsOfAct(
    summary.replace(/^\W*(?:requests? )?to /i, ''),
  );
  // "Stops for a location" are things.
  const isThings = verbOfSummary.endsWith('s') && /^(?:for|in|near|of)$/.test(next);
  const verb = verbOfSummary.replace(/ies$/, 'y').replace(/s$/, '');
  const isSearch = operation.method === 'POST' && searchRun.test(summary);
  const done = isSearch ? 'search' : verb;
  const told = isThings ? '' : done;
  return [first, verbAt(others, -1), lastOfPath, told];
}

/** One of some words, where it may be a verb: behind a preposition it is a thing (`arrivals-for-stop`). */
export function verbAt(words: readonly string[], index: number): string {
  const at = index < 0 ? words.length + index : index;
  return /^(?:at|by|for|from|near|of)$/.test(words[at - 1] ?? '') ? '' : (words[at] ?? '');
}

/** The parts of a path that name something. */
export function fixedParts({ path }: ApiOperation): string[] {
  return pathParts(path).filter((part) => !part.startsWith('{'));
}
