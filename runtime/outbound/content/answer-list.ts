import { isObject, type JsonPath, valueAt } from '#contract/json';
import { pageMeaning } from '#contract/text/page-names';
import type { ResponseShape } from '#contract/tool';
import type { Headers } from '../call/exchange.ts';
import { isXmlType, mediaType } from './media-type.ts';
import { saysSomething, tellsFailure } from './told-members.ts';

/** The list of an answer. */
export interface FoundList {
  readonly items: readonly unknown[];
  /** What stands in its place, in words; nothing where it is a list, or may be missing. */
  readonly fault?: string;
  /** Whatever came in its place is among the items. */
  readonly isShown: boolean;
}

/** The list of an answer that is an object or XML, and what is wrong where there is none. */
export function findList(
  body: unknown,
  { items: path = [], nullList }: ResponseShape,
  headers: Headers,
): FoundList {
  const found = valueAt(body, path);
  if (Array.isArray(found)) return { items: found, isShown: true };
  if (path.length === 0) return { items: listOf(found), isShown: true };
  if (isXmlType(mediaType(headers))) {
    // XML cannot tell an empty list from none, but another document has another root.
    const isOther = isTold(body) && valueAt(body, path.slice(0, 1)) === undefined;
    return isOther ? lacking('no list') : { items: listOf(found), isShown: true };
  }
  if (isObject(found)) return { items: [found], fault: placed('an object'), isShown: true };
  if (found === undefined) return isTold(body) ? lacking('no list') : nothing;
  if (found === null) return nullList || isSilent(body, path) ? nothing : lacking('null');
  return lacking('a single value');
}

const nothing: FoundList = { items: [], isShown: true };

function lacking(what: string): FoundList {
  return { items: [], fault: placed(what), isShown: false };
}

function placed(what: string): string {
  return `the answer has ${what} where there should be ${what === 'no list' ? 'one' : 'a list'}`;
}

/** Whether an answer says anything. */
function isTold(body: unknown): boolean {
  const isHolder = typeof body === 'object' && body !== null;
  return body !== undefined && (!isHolder || Object.keys(body).length > 0);
}

/**
 * Whether nothing beside the place of a list says anything but where in it the page is: servers in Go
 * write an empty list as null, whatever their descriptions say.
 */
function isSilent(body: unknown, [step, ...rest]: JsonPath): boolean {
  if (!isObject(body)) return true;
  return Object.entries(body).every(([name, value]) => {
    if (name === step) return isSilent(value, rest);
    return pageMeaning(name) !== undefined || !(saysSomething(value) || tellsFailure(name, value));
  });
}

/** The list at `path`: nothing is an empty one, a lone value (as XML has it) a list of one. */
export function listAt(value: unknown, path: JsonPath): readonly unknown[] {
  return listOf(valueAt(value, path));
}

function listOf(found: unknown): readonly unknown[] {
  if (Array.isArray(found)) return found;
  return found === undefined || found === null || found === '' ? [] : [found];
}
