import { type ApiOperation, pathParts } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { ownNameWords, ownParts } from '../framework-names.ts';
import { isChangingVerb } from '../nature/verbs.ts';
import type { OperationDetails } from '../operation-details.ts';
import { formless, nounOf } from '../operation-role.ts';

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

/** What such a verb stands before: "subscriptions get for tenant". */
const relating = /^(?:by|for|from|in|of|with)$/;

/** What code is called that answers: it says nothing of what it answers with. */
const layer = /^(?:api|app|controller|service|v\d+)$/;

/** What else a part of a path may begin with that says what is done: `POST /verify-pin`. */
const acting =
  /^(?:calculate|check|convert|credit|debit|fetch|find|fund|generate|get|list|lookup|query|read|register|retrieve|search|send|submit|validate|verify)$/;

/** Verbs that are no things, and may stand before several: `POST /import-jobs` may make one. */
const plain =
  /^(?:add|check|create|delete|fetch|find|get|list|remove|retrieve|update|validate|verify)$/;

/** What the name of an operation says, or else its method and its path. */
export function namedPurpose(operation: ApiOperation, details: OperationDetails): string {
  const named = ownNameWords(operation.id ?? '', operation).map((word) => word.toLowerCase());
  const words =
    named.length > 1 ? verbFirst(named, operation, details) : pathPhrase(operation, details);
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `rules partial update` is to `change one rule`, `rules import create` is to `import rules`. */
function verbFirst(
  words: readonly string[],
  { path, method }: Named,
  { reads = method === 'GET' }: OperationDetails,
): readonly string[] {
  const [pair, last] = [words.slice(-2).join(' '), words.at(-1) ?? ''];
  const by = words.findIndex(
    (word, at) => at > 1 && word === 'by' && finding.test(words[at - 1] ?? ''),
  );
  if (by > 0 && !isVerb(words[0] ?? '')) {
    return [words[by - 1] ?? '', ...words.slice(0, by - 1), ...words.slice(by)];
  }
  // The method stands before things that have names of verbs: `put_board_list_card`.
  const [start = '', ...things] = words;
  if (method !== 'GET' && start === method.toLowerCase()) {
    const done = verbInside(things, method);
    if (done && !finding.test(done[0] ?? '')) return done;
    return method === 'PUT' ? ['update', ...things] : words;
  }
  const inside = verbInside(words, method);
  if (inside !== undefined) return inside;
  const verb = [pair, last].find((each) => Object.hasOwn(lastVerbs, each)) ?? '';
  const nouns = words.slice(0, -verb.split(' ').length);
  const [first = ''] = nouns;
  if (verb === '' || first === '' || isVerb(first)) return words;
  const acting = nouns.at(-1) ?? '';
  // Who lists runs runs nothing.
  const isDone =
    method === 'GET' ? giving.test(acting) : isChangingVerb(acting) || doing.test(acting);
  if (nouns.length > 1 && isDone) return [acting, ...nouns.slice(0, -1)];
  const [, key] = /\{([^{}]*)\}\/?$/.exec(path) ?? [];
  const told = lastVerbs[verb] ?? verb;
  // What others have read is read no more: `notifications mark all read`.
  if (!reads && told === 'read') return words;
  if (key === undefined) return [told, ...nouns];
  return told === 'list'
    ? [told, ...nouns, 'by', ...wordsOf(key).map((word) => word.toLowerCase())]
    : [told, 'one', nounOf(nouns.join(' '))];
}

/** `user get users` is to `get users`, `subscriptions get for tenant` to `get subscriptions for tenant`. */
function verbInside(words: readonly string[], method: string): readonly string[] | undefined {
  const isInside = (word: string) => finding.test(word) || (method !== 'GET' && plain.test(word));
  const at = words.findIndex((word, index) => index > 0 && isInside(word));
  const [verb = '', ...rest] = words.slice(at);
  if (at < 1 || at > 2 || rest.length === 0 || isVerb(words[0] ?? '')) return undefined;
  if (rest.length === 1 && Object.hasOwn(lastVerbs, `${verb} ${rest[0]}`)) return undefined;
  const before = words.slice(0, at);
  const isSaid = (word: string) => rest.some((each) => nounOf(each) === nounOf(word));
  const about = before.filter((word) => !isSaid(word) && !layer.test(word));
  return [verb, ...(relating.test(rest[0] ?? '') ? before : about), ...rest];
}

function isVerb(word: string): boolean {
  return isChangingVerb(word) || Object.hasOwn(lastVerbs, word) || asking.test(word);
}

/** The method and the last parts of the path: `list history series`, `read widget by widget id`. */
function pathPhrase(
  { method, path }: Named,
  { isList, isMade, reads }: OperationDetails,
): readonly string[] {
  const parts = pathParts(path.replaceAll('#', '/'));
  const fixed = parts.filter((part) => !part.startsWith('{'));
  const own = ownParts({ path: path.replaceAll('#', '/') });
  const last = parts.at(-1) ?? '';
  const ends = wordsOf(own.at(-1) ?? fixed.at(-1) ?? 'it').map((word) => word.toLowerCase());
  const isAfterFixed = own.length > 1 && parts.at(-2) === own.at(-2);
  const before = isAfterFixed ? wordsOf(own.at(-2) ?? '') : [];
  if (saysAct(ends, method) && !last.startsWith('{')) {
    return [...ends, ...(before.length > 0 ? ['of', ...before] : [])].map((word) =>
      word.toLowerCase(),
    );
  }
  const asked = method === 'POST' && reads === true ? 'search' : undefined;
  if (asked && ends.length > 1 && asking.test(ends.at(-1) ?? '')) return ends;
  const verb = (isList && 'list') || (isMade && 'create') || asked || methodVerbs[method] || method;
  const [end = ''] = ends;
  // What is done stands at the end: `GET /series/lookup`, `POST /orders/{id}/cancel`.
  const isAsked = method === 'GET' && asking.test(end);
  const isDone = method !== 'GET' && method !== 'DELETE' && isChangingVerb(end);
  const about = wordsOf(own.at(-2) ?? '');
  if (ends.length === 1 && about.length > 0 && (isAsked || isDone) && !last.startsWith('{')) {
    return [end, ...(isAfterFixed ? [] : ['one']), ...about].map((word) => word.toLowerCase());
  }
  // An item is named by the parameter that tells it from the others, a part by what it belongs to.
  const owner = fixed.at(-2) ?? '';
  // Behind `/api` stands which version of it, and no thing.
  const isOfOne = parts.at(-2)?.startsWith('{') && own.includes(formless(owner));
  const of = isOfOne ? ['of', 'one', nounOf(owner)] : [];
  const by = last.startsWith('{') ? ['by', ...wordsOf(last.replace(/[{}]/g, ''))] : of;
  return [verb, ...before, ...ends, ...by].map((word) => word.toLowerCase());
}

/** Whether a part of a path says what is done with what: `/debit-account`, `/get-contact-info`. */
function saysAct(words: readonly string[], method: string): boolean {
  const [first = '', ...others] = words;
  const isPlain = plain.test(first);
  if (others.length === 0) return false;
  if (method === 'GET') return finding.test(first);
  // Several may be things that are made: transfer requests, import jobs.
  const isOne = nounOf(others.join(' ')) === others.join(' ');
  return method === 'POST' && (isPlain || (isOne && (acting.test(first) || isChangingVerb(first))));
}
