import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { requestPath } from '../../model/schema/api-operations.ts';
import { ownParts } from './framework-names.ts';
import { toldFirst } from './nature/told-summary.ts';
import { isChangingVerb } from './nature/verbs.ts';
import { formless } from './operation-role.ts';

/** A part of a path that says itself what is done: "/things/search", "/things/get_recent". */
const asking = /^(?:list|search|find|query|lookup|count)$/;
const askingFirst = /^(?:get|list|search|find|fetch|read|show)$/;
/** The same behind what it is about, whatever stands there: `/beds/get/{id}`. */
const askedThere = /^(?:fetch|find|get|list|lookup|query|retrieve|search)$/;
/** What is done with one thing, or with many, and says by itself what is given. */
const giving = /^(?:attach|download|exec|exists|export|ping|preview|print|render|validate|verify)$/;
const making = /^(?:create|add|new|insert|upsert)$/;

/** A verb grown together with what it is done to: "deletetags", and no "settings" or "addresses". */
const grown = /^(?:add(?!it|on|ress)|assign(?!ment)|delete|remove|unlink|update)[a-z]{3,}$/;

/** What the paths of a whole description tell of what one of its POSTs does. */
export interface Places {
  /** Where something is read or kept: `POST /translate` at none of these does what its path says. */
  readonly kept: ReadonlySet<string>;
  /** Where PATCH changes something: an update by POST is the other one there, of all of it. */
  readonly patched: ReadonlySet<string>;
}

/** Find where things are kept: what is read, or both changed and deleted, and what has items below it. */
export function placesOf(operations: readonly ApiOperation[]): Places {
  const read = operations.filter(({ method }) => method === 'GET').map(placeOf);
  const items = operations.map(placeOf).filter((path) => path.endsWith('}'));
  const patched = operations.filter(({ method }) => method === 'PATCH').map(placeOf);
  const deleted = new Set(operations.filter(({ method }) => method === 'DELETE').map(placeOf));
  const changed = operations.filter(({ method }) => /^P(?:ATCH|UT)$/.test(method)).map(placeOf);
  return {
    patched: new Set(patched),
    kept: new Set([
      ...read,
      ...changed.filter((path) => deleted.has(path)),
      ...items.map((path) => path.replace(/\/[^/]*$/, '')),
    ]),
  };
}

/** A path without the slash that some frameworks end it with. */
function placeOf(operation: ApiOperation): string {
  return formless(requestPath(operation)).replace(/(?<=.)\/$/, '');
}

/**
 * The verb that a name made of these words of the path ends with; nothing where they say what is done.
 *
 * @param last the words of the last fixed part
 * @param isOne whether the answer is one thing, as far as that is known
 * @param reads whether nothing is changed, whatever the method is
 */
export function pathVerb(
  operation: ApiOperation,
  last: readonly string[],
  { places, isOne, reads }: { places: Places; isOne: boolean; reads: boolean },
): string | undefined {
  const [first = '', ...others] = last.map((word) => word.toLowerCase());
  const isOneWord = others.length === 0;
  const { method } = operation;
  const isItem = placeOf(operation).endsWith('}');
  // What is asked by POST is no less a question.
  if (method === 'POST' && reads) return asked(operation, [first, ...others]);
  const isAct = method === 'POST' && !isItem && !places.kept.has(placeOf(operation));
  // Nothing is kept where `POST /translate` stands: what it is called is what it does.
  if (isAct && (!/s$/.test(last.at(-1) ?? 's') || (isOneWord && grown.test(first)))) {
    return undefined;
  }
  if (method !== 'GET' && method !== 'DELETE' && isOneWord && isChangingVerb(first)) {
    return undefined;
  }
  if (method === 'POST' && isOneWord && making.test(first)) return undefined;
  if (method === 'GET' && !isItem && isOneWord && giving.test(first)) return undefined;
  // "orders_list" says it.
  if (method === 'GET' && !isItem && others.at(-1) === 'list') return undefined;
  if (method === 'GET' && !isItem && (isOneWord ? asking : askingFirst).test(first)) {
    return undefined;
  }
  if (method === 'GET' && isOneWord && askedThere.test(first) && ownParts(operation).length > 1) {
    return undefined;
  }
  if (method === 'POST' && isUpdate(operation)) {
    return places.patched.has(placeOf(operation)) ? 'replace' : 'update';
  }
  return verbOf(operation, isOne);
}

/** The verb of a question: nothing where the path has it already, else what the summary calls it. */
function asked({ node }: ApiOperation, words: readonly string[]): string | undefined {
  const isNamed = asking.test(words.at(-1) ?? '') || askingFirst.test(words[0] ?? '');
  if (isNamed || asking.test(words[0] ?? '')) return undefined;
  const summary = String(node['summary'] ?? '');
  if (/^lists?\b|^returns? (?:all|list)\b/i.test(summary)) return 'list';
  return /^(?:fetch|get|read|retrieve|return|show)(?:e?s)?\b/i.test(summary) ? 'get' : 'search';
}

function verbOf(operation: ApiOperation, isOne: boolean): string {
  const { method } = operation;
  switch (method) {
    case 'GET':
      return isOne || /\}[^/]*\/?$/.test(formless(operation.path)) ? 'get' : 'list';
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

/** Whether a text says that one thing which is there is changed by POST. */
function isUpdate(operation: ApiOperation): boolean {
  return placeOf(operation).endsWith('}') && /^\W*updates?\b/i.test(toldFirst(operation.node));
}
