import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { requestPath, routeOf } from '../../model/schema/api-operations.ts';
import { isForeign, latinText } from '../../model/texts/latin-text.ts';
import {
  distinct,
  longestToolName,
  shortToolName,
  snakeCase,
  wordsOf,
} from '../../model/texts/names.ts';

const mostWords = 6;

/**
 * Names for the tools of a provider: `<provider>_<resource>_<verb>`, each at most 48 characters.
 * `givesOne` says of a read whether it answers with one thing, as far as that is known.
 */
export function toolNames(
  provider: string,
  operations: readonly ApiOperation[],
  givesOne: (operation: ApiOperation) => boolean = () => false,
): string[] {
  const prefix = `${provider}_`;
  const read = new Set(operations.filter(({ method }) => method === 'GET').map(requestPath));
  const isAct = (operation: ApiOperation) =>
    operation.method === 'POST' && !read.has(requestPath(operation));
  const names = operations.map((operation) => {
    const words = snakeCase(ownWords(operation, givesOne, isAct(operation)).join(' ')).replace(
      /[^a-z0-9_]+/g,
      '_',
    );
    const name = words.startsWith(prefix) ? words : prefix + words;
    return name === prefix ? `${prefix}call` : name;
  });
  const short = names.map((name) => shortened(name, prefix));
  // A number needs room, so a name that is long enough to lack it ends in a hash of its operation.
  return distinct(short).map((name, index) => {
    const operation = operations[index];
    if (name.length <= longestToolName || !operation) return name;
    return shortToolName(name, operation.id ?? routeOf(operation));
  });
}

/** Room for the number of a name that another operation has already. */
const roomForNumber = 2;

/** A long name without some of its words: what stands last and first says most. */
function shortened(name: string, prefix: string): string {
  if (name.length <= longestToolName) return name;
  const all = name.slice(prefix.length).split('_');
  const words = all.filter((word, index) => word !== all[index - 1] && !fillers.has(word));
  const isLong = () => prefix.length + words.join('_').length > longestToolName - roomForNumber;
  while (words.length > 2 && isLong()) words.splice(Math.floor((words.length - 1) / 2), 1);
  return prefix + words.join('_');
}

const fillers = new Set([
  'a',
  'an',
  'the',
  'of',
  'for',
  'by',
  'to',
  'in',
  'on',
  'with',
  'and',
  'id',
]);

/** The words of an operationId that was meant as a name, or else of the path and what is done. */
function ownWords(
  operation: ApiOperation,
  givesOne: (operation: ApiOperation) => boolean,
  isAct: boolean,
): string[] {
  const id = isForeign(operation.id ?? '') ? undefined : operation.id;
  const words = methodless(latinWords(id ?? ''), operation);
  const isName =
    id !== undefined && !/\s/.test(id) && words.length > 1 && words.length <= mostWords;
  if (isName) return words;
  const own = ownParts(operation).slice(-2).flatMap(latinWords);
  if (own.length === 0) return toldWords(operation, verbOf(operation, givesOne(operation)));
  // Nothing is read where `POST /translate` stands: what it is called is what it does.
  const does = isAct && !/s$/.test(own.at(-1) ?? 's') && !/\}[^/]*\/?$/.test(operation.path);
  return does ? own : [...own, verbOf(operation, givesOne(operation))];
}

/** The words of a name in Latin letters, of which those of other scripts have no form. */
function latinWords(name: string): string[] {
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
  const own = summary.filter((word) => !fillers.has(word.toLowerCase()));
  if (own.length > 0 && own.length <= mostWords) return own;
  const tags = Array.isArray(node['tags']) ? node['tags'].map(String) : [];
  return [...(tags.map(latinWords).find((words) => words.length > 0) ?? []), verb];
}

/**
 * The words of an operationId without the path and the method that frameworks put behind the name
 * of a function (`read_item_items__item_id__get`): they say nothing new, and names grow too long.
 */
function methodless(words: readonly string[], operation: ApiOperation): string[] {
  if (words.at(-1)?.toLowerCase() !== operation.method.toLowerCase()) return [...words];
  const path = requestPath(operation).split(/[/{}]/).flatMap(wordsOf);
  const own = words.slice(0, words.length - 1 - path.length);
  const end = words.slice(own.length, -1);
  const isPath = end.length > 0 && end.every((word, at) => sameWord(word, path[at]));
  const [only] = own;
  if (!isPath || only === undefined) return [...words];
  if (own.length > 1) return own;
  // A function of one word has the name of its path, or else is the verb of what stands there last.
  if (path.some((word) => sameWord(only, word))) return own;
  return [only, ...wordsOf(ownParts(operation).at(-1) ?? '')];
}

function sameWord(word: string, other: string | undefined): boolean {
  return word.toLowerCase() === other?.toLowerCase();
}

/** The fixed parts of a path, without those that only say where the API stands. */
function ownParts({ path }: ApiOperation): string[] {
  const fixed = path.split('/').filter((part) => part !== '' && !part.includes('{'));
  const own = fixed.filter((part) => !/^(api|rest|public|v?\d+(\.\d+)*|v\d+\w*)$/i.test(part));
  return own.length > 0 ? own : fixed;
}

function verbOf({ method, path }: ApiOperation, isOne: boolean): string {
  const isItem = isOne || /\}[^/]*\/?$/.test(path);
  switch (method) {
    case 'GET':
      return isItem ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'replace';
    case 'PATCH':
      return 'update';
    default:
      return method.toLowerCase();
  }
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
