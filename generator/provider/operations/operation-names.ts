import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { routeOf } from '../../model/schema/api-operations.ts';
import { isForeign, latinText } from '../../model/texts/latin-text.ts';
import {
  distinct,
  longestToolName,
  shortToolName,
  snakeCase,
  wordsOf,
} from '../../model/texts/names.ts';
import { ownNameWords, ownParts } from './framework-names.ts';
import { fillers, fitted } from './name-room.ts';
import { isMaking, reading } from './nature/verbs.ts';
import { formless } from './operation-role.ts';
import { type Places, pathVerb, placesOf } from './path-names.ts';
import { apartWords, waysApart } from './told-apart.ts';

const mostWords = 6;

/**
 * Names for the tools of a provider: `<provider>_<resource>_<verb>`, each at most 48 characters.
 */
export function toolNames(
  provider: string,
  operations: readonly ApiOperation[],
  { givesOne = () => false, reads = () => false, isTwin = () => false }: Partial<Known> = {},
): string[] {
  const prefix = `${provider}_`;
  const ids = new Set(operations.map(({ id }) => id));
  const root = commonRoot(operations);
  const naming = { places: placesOf(operations), root, ids, givesOne, reads, isTwin };
  const apart = apartWords(operations);
  const forms = operations.map((operation) => {
    const own = wordForms(operation, naming);
    const told = toldApart(operation, apart.get(operation));
    const names = [...told, ...own].map((words) => namesOf(words, prefix));
    // Whole words of the path say more than the beginnings of other words.
    const cut = names.flatMap(([, ...others]) => others);
    const last = [
      wordsByKey(operation, naming),
      secondWords(operation, naming),
      wordsByMethod(operation, operations, naming),
    ].flatMap((words) => (words === undefined ? [] : nameOf(words, prefix)));
    // What is cut would not say any more what tells it from others.
    const whole = last.filter((name) => name.length < longestToolName);
    return [...new Set([...names.flatMap(([best]) => best ?? []), ...whole, ...cut])];
  });
  const short = unlike(forms, (index) => {
    const operation = operations[index];
    return operation?.method === 'HEAD' || (operation !== undefined && isTwin(operation));
  });
  // A number needs room, so a name that is long enough to lack it ends in a hash of its operation.
  return distinct(namedApart(short, operations, prefix)).map((name, index) => {
    const operation = operations[index];
    if (name.length <= longestToolName || !operation) return name;
    return shortToolName(name, operation.id ?? routeOf(operation));
  });
}

function nameOf(words: readonly string[], prefix: string): string {
  const text = snakeCase(words.join(' ')).replace(/[^a-z0-9_]+/g, '_');
  return text.startsWith(prefix) ? text : prefix + text;
}

/** Names that are made of these words, the best first: several where there is no room for all. */
function namesOf(words: readonly string[], prefix: string): readonly string[] {
  const name = nameOf(words, prefix);
  return fitted(name === prefix ? `${prefix}call` : name, prefix);
}

/**
 * Of each the first form, and the next one as long as another has the same and there is one. What
 * only asks for headers, or stays off beside another one, makes room for what it has its name from.
 */
function unlike(
  forms: readonly (readonly string[])[],
  isSecondary: (index: number) => boolean,
): string[] {
  const chosen = forms.map(() => 0);
  const name = (index: number) => forms[index]?.[chosen[index] ?? 0] ?? '';
  const isMovable = (index: number) => (chosen[index] ?? 0) + 1 < (forms[index]?.length ?? 0);
  const rounds = forms.reduce((most, { length }) => Math.max(most, length), 0);
  for (let round = 0; round < rounds; round += 1) {
    const alike = [...Map.groupBy(forms.keys(), name).values()].filter((each) => each.length > 1);
    const moved = alike.flatMap((all) => {
      const movable = all.filter(isMovable);
      const secondary = all.every(isSecondary) ? [] : movable.filter(isSecondary);
      return secondary.length > 0 ? secondary : movable;
    });
    if (moved.length === 0) break;
    for (const index of moved) chosen[index] = (chosen[index] ?? 0) + 1;
  }
  return forms.map((_, index) => name(index));
}

/** Names that several have still, but for the first of them, with what their requests differ by. */
function namedApart(
  names: readonly string[],
  operations: readonly ApiOperation[],
  prefix: string,
): readonly string[] {
  const taken = new Set(names);
  const apart = new Map<number, string>();
  for (const [name, alike] of Map.groupBy(names.keys(), (index) => names[index] ?? '')) {
    const group = alike.flatMap((index) => operations[index] ?? []);
    const ways = waysApart(group);
    const plain = Math.max(
      0,
      ways.findIndex((way) => way.length === 0),
    );
    for (const [at, index] of alike.entries()) {
      const words = (ways[at] ?? []).flatMap(latinWords);
      const told = namesOf([name.slice(prefix.length), ...words], prefix);
      const isWhole = (each: string) => each.endsWith(`_${snakeCase(words.at(-1) ?? '')}`);
      const [found] = told.filter((each) => isWhole(each) && !taken.has(each)).toSorted(byWords);
      if (at === plain || words.length === 0 || found === undefined) continue;
      taken.add(found);
      apart.set(index, found);
    }
  }
  return names.map((name, index) => apart.get(index) ?? name);
}

/** The one of more words first: each of them tells it from another. */
function byWords(one: string, other: string): number {
  return other.split('_').length - one.split('_').length;
}

/** What names of operations are made with. */
interface Naming extends Known {
  readonly places: Places;
  /** The part that nearly all paths begin with: it tells none from the others. */
  readonly root: string | undefined;
  /** Those of all operations. */
  readonly ids: ReadonlySet<string | undefined>;
}

/** What is known of operations beside their names and paths. */
interface Known {
  /** Whether a read answers with one thing. */
  readonly givesOne: (operation: ApiOperation) => boolean;
  /** Whether it changes nothing. */
  readonly reads: (operation: ApiOperation) => boolean;
  /** Whether another one does the same, and stays. */
  readonly isTwin: (operation: ApiOperation) => boolean;
}

/**
 * Words to name an operation with, the best first: those of an operationId that was meant as a name,
 * then those of ever more of the path with what is done.
 */
function wordForms(
  operation: ApiOperation,
  { places, root, ids, givesOne, reads }: Naming,
): (readonly string[])[] {
  const given = operation.id ?? sharedId(operation);
  const id = isForeign(given ?? '') || isSecond(given, ids) ? undefined : given;
  const words = phraseWords(ownNameWords(id ?? '', operation, latinWords), id);
  // A name that was copied from what changes the same thing says the opposite of what is done.
  const isOpposite = reads(operation) && writing.test(words[0] ?? '') && operation.method === 'GET';
  const isName = id !== undefined && words.length > 1 && words.length <= mostWords && !isOpposite;
  const [first, ...below] = ownParts(operation);
  const told = first === root && below.length > 0 ? below : ownParts(operation);
  const parts = told.map(latinWords);
  const isOne = givesOne(operation);
  const last = parts.findLast((each) => each.length > 0) ?? [];
  const verb = pathVerb(operation, last, { places, isOne, reads: reads(operation) });
  const ofPath = (count: number) => [...parts.slice(-count).flat(), ...(verb ? [verb] : [])];
  const isSpelled = parts.slice(-fewestParts).some((each) => each.length > 0);
  const made = isSpelled
    ? partCounts.filter((count) => count === fewestParts || count <= parts.length).map(ofPath)
    : [toldWords(operation, verb ?? 'call')];
  return isName && !isSecond(id, ids) ? [words, ...made] : made;
}

/** An id that others have, too: it names the one that stays of several copies. */
function sharedId({ node, id }: ApiOperation): string | undefined {
  const { operationId } = node;
  return id === undefined && typeof operationId === 'string' ? operationId : undefined;
}

/** The same without what it is called. */
function nameless(operation: ApiOperation): ApiOperation {
  const { operationId: _, ...node } = operation.node;
  return { ...operation, node, id: undefined };
}

/** The words of an id that is that of another one but for a number, with what its request differs by. */
function toldApart(
  operation: ApiOperation,
  apart: readonly string[] | undefined,
): readonly (readonly string[])[] {
  const words = apart && ownNameWords(operation.id ?? '', operation, latinWords);
  return words && words.length > 0 ? [[...words, ...apart.flatMap(latinWords)]] : [];
}

/** What one is found by, behind the words of its place: it tells it from others at the same place. */
function wordsByKey(operation: ApiOperation, naming: Naming): readonly string[] | undefined {
  const [, key] = /\{([^{}]*)\}\/?$/.exec(formless(operation.path)) ?? [];
  if (key === undefined) return undefined;
  const [words = []] = wordForms(nameless(operation), naming);
  const found = latinWords(key);
  return found.length === 0 ? undefined : [...words, 'by', ...found];
}

/** Of what is asked by GET at the same place, too, as `/search` is: how it is asked tells the two apart. */
function wordsByMethod(
  operation: ApiOperation,
  all: readonly ApiOperation[],
  naming: Naming,
): readonly string[] | undefined {
  const { method, path } = operation;
  const get = all.find((each) => each.method === 'GET' && each.path === path);
  if (method !== 'POST' || get === undefined) return undefined;
  const [words, ofGet] = [operation, get].map((each) => {
    const [found = []] = wordForms(nameless(each), naming);
    return found;
  });
  const isAlike = words?.join(' ') === ofGet?.join(' ');
  return isAlike && words ? [...words, 'by', 'post'] : undefined;
}

/** The words of an id that is that of another operation with a number, for where its path says too little. */
function secondWords({ id = '' }: ApiOperation, { ids }: Naming): readonly string[] | undefined {
  return isSecond(id, ids) && !isForeign(id) ? latinWords(id) : undefined;
}

/** Whether an id is that of another operation with a number: `GetBed2` beside `GetBed`. */
function isSecond(id: string | undefined, ids: ReadonlySet<string | undefined>): boolean {
  const [first = ''] = /^.*[a-z](?=\d$)/i.exec(id ?? '') ?? [];
  return first !== '' && ids.has(first);
}

/** Verbs that no read has, where they are not things as well. */
const writing = /^(?:add|create|delete|insert|patch|remove|set|update)$/i;

/** A name of several words, as "Get all events of a payment": what is short enough stays whole. */
function phraseWords(words: readonly string[], id = ''): readonly string[] {
  const isLong = /\s/.test(id) && words.length > mostWords;
  return isLong ? words.filter((word) => !fillers.has(word.toLowerCase())) : words;
}

/** Fewer paths than that may begin alike and be about one thing. */
const fewestAlike = 8;
const shareAlike = 0.9;

/** The part that nearly all paths begin with, as the name of the product, where several things are behind it. */
function commonRoot(operations: readonly ApiOperation[]): string | undefined {
  const paths = operations.map(ownParts);
  const roots = [...Map.groupBy(paths, ([first]) => first)];
  const [root, alike] = roots.find(([, all]) => all.length >= shareAlike * paths.length) ?? [];
  if (!alike || alike.length < fewestAlike) return undefined;
  const things = new Set(alike.map(([, second]) => second));
  return things.size > alike.length / 4 ? root : undefined;
}

/** So many fixed parts of a path name an operation, more where another one has the name already. */
const partCounts = [2, 3, 4] as const;
const [fewestParts] = partCounts;

/** The words of a name in Latin letters, of which those of other scripts have no form. */
function latinWords(name: string): readonly string[] {
  const text = decoded(name);
  return isForeign(text) ? [] : wordsOf(latinText(text));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Where neither name nor path can be spelled: the summary, which has its verb, or a tag. */
function toldWords({ node }: ApiOperation, verb: string): string[] {
  const summary = latinWords(String(node['summary'] ?? ''));
  const [first = '', ...rest] = summary.filter((word) => !fillers.has(word.toLowerCase()));
  if (first !== '' && rest.length < mostWords) return [plainVerb(first), ...rest];
  const tags = Array.isArray(node['tags']) ? node['tags'].map(String) : [];
  return [...(tags.map(latinWords).find((words) => words.length > 0) ?? []), verb];
}

/** "Returns the state" and "Lists things" begin with verbs: what they tell of is named as what is asked for. */
function plainVerb(word: string): string {
  const verb = word.toLowerCase().replace(/s$/, '');
  if (verb === 'return') return 'get';
  return reading.has(verb) || isMaking(verb) ? verb : word;
}

/** The file that a tool stands in: the shortest tag of its operation, or the beginning of its path. */
export function resourceOf(operation: ApiOperation): string {
  const { tags } = operation.node;
  const [tag] = (Array.isArray(tags) ? tags.map(String) : [])
    .filter((each) => !isForeign(each))
    .toSorted((a, b) => a.length - b.length);
  const words = latinWords(tag ?? ownParts(operation)[0] ?? '');
  const name = snakeCase(words.join(' '))
    .replaceAll('_', '-')
    .replace(/^[^a-z]+/, '');
  const text = name.slice(0, 40).replace(/-+$/, '');
  // Two characters at least, and not the names of files that every provider has.
  if (text.length < 2) return 'general';
  return text === 'index' || text === 'search-documents' ? `${text}-operations` : text;
}
