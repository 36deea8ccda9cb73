import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { ownNameWords, ownParts } from '../framework-names.ts';
import type { OperationDetails } from '../operation-details.ts';
import { isChangingVerb } from '../operation-nature.ts';
import { nounOf } from '../operation-role.ts';

type Named = Pick<ApiOperation, 'id' | 'method' | 'path'>;

const methodVerbs: Readonly<Record<string, string>> = {
  GET: 'read',
  QUERY: 'search',
  POST: 'send',
  PUT: 'replace',
  PATCH: 'change',
  DELETE: 'delete',
};

/** What frameworks put behind the noun in the names that they make up, and the verb that it is. */
const lastVerbs: Readonly<Record<string, string>> = {
  list: 'list',
  index: 'list',
  'find all': 'list',
  'get all': 'list',
  retrieve: 'read',
  read: 'read',
  get: 'read',
  show: 'read',
  'find one': 'read',
  create: 'create',
  store: 'create',
  update: 'update',
  'partial update': 'change',
  replace: 'replace',
  destroy: 'delete',
  delete: 'delete',
  remove: 'remove',
};

/** What else is done, where a framework has put its verb behind it: `rules_import_create`. */
const doing = /^(?:check|export|import|preview|request|run|share|submit)$/;

/** What of it may be done without a change. */
const giving = /^(?:check|export|preview)$/;

/** Verbs that stand before what something is found by: `things get by id`. */
const finding = /^(?:find|get|read|retrieve|fetch|search|list)$/;

/** Verbs with which a path ends: what stands before them is what they are about. */
const asking = /^(?:search|find|query|lookup|list|count|download|export)$/;

/** What the name of an operation says, or else its method and its path. */
export function namedPurpose(operation: ApiOperation, details: OperationDetails): string {
  const named = ownNameWords(operation.id ?? '', operation).map((word) => word.toLowerCase());
  const words = named.length > 1 ? verbFirst(named, operation) : pathPhrase(operation, details);
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `rules partial update` is to `change one rule`, `rules import create` is to `import rules`. */
function verbFirst(words: readonly string[], { path, method }: Named): readonly string[] {
  const [pair, last] = [words.slice(-2).join(' '), words.at(-1) ?? ''];
  const by = words.findIndex(
    (word, at) => at > 1 && word === 'by' && finding.test(words[at - 1] ?? ''),
  );
  if (by > 0 && !isVerb(words[0] ?? '')) {
    return [words[by - 1] ?? '', ...words.slice(0, by - 1), ...words.slice(by)];
  }
  const verb = [pair, last].find((each) => Object.hasOwn(lastVerbs, each)) ?? '';
  const nouns = words.slice(0, -verb.split(' ').length);
  const [first = ''] = nouns;
  if (verb === '' || first === '' || isVerb(first)) return words;
  const acting = nouns.at(-1) ?? '';
  // Who lists runs runs nothing.
  const isDone =
    method === 'GET' ? giving.test(acting) : isChangingVerb(acting) || doing.test(acting);
  if (nouns.length > 1 && isDone) return [acting, ...nouns.slice(0, -1)];
  const isOne = /\}\/?$/.test(path);
  const thing = isOne ? ['one', nounOf(nouns.join(' '))] : nouns;
  return [lastVerbs[verb] ?? verb, ...thing];
}

function isVerb(word: string): boolean {
  return isChangingVerb(word) || Object.hasOwn(lastVerbs, word) || asking.test(word);
}

/** The method and the last parts of the path: `list history series`, `read widget by widget id`. */
function pathPhrase({ method, path }: Named, { isList, isMade }: OperationDetails): string[] {
  const parts = path.split(/[/#]/).filter((part) => part !== '');
  const fixed = parts.filter((part) => !part.startsWith('{'));
  const own = ownParts({ path: path.replaceAll('#', '/') });
  const last = parts.at(-1) ?? '';
  const ends = wordsOf(own.at(-1) ?? fixed.at(-1) ?? 'it').map((word) => word.toLowerCase());
  const isAfterFixed = own.length > 1 && parts.at(-2) === own.at(-2);
  const before = isAfterFixed ? wordsOf(own.at(-2) ?? '') : [];
  const verb = (isList && 'list') || (isMade && 'create') || methodVerbs[method] || method;
  const [end = ''] = ends;
  // What is done stands at the end: `GET /series/lookup`, `POST /orders/{id}/cancel`.
  const isAsked = method === 'GET' && asking.test(end);
  const isDone = method !== 'GET' && method !== 'DELETE' && isChangingVerb(end);
  const about = wordsOf(own.at(-2) ?? '');
  if (ends.length === 1 && about.length > 0 && (isAsked || isDone) && !last.startsWith('{')) {
    return [end, ...(isAfterFixed ? [] : ['one']), ...about].map((word) => word.toLowerCase());
  }
  // An item is named by the parameter that tells it from the others, a part by what it belongs to.
  const of =
    fixed.length > 1 && parts.at(-2)?.startsWith('{')
      ? ['of', 'one', nounOf(fixed.at(-2) ?? '')]
      : [];
  const by = last.startsWith('{') ? ['by', ...wordsOf(last.replace(/[{}]/g, ''))] : of;
  return [verb, ...before, ...ends, ...by].map((word) => word.toLowerCase());
}
