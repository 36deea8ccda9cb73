import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import { Deep, LongNumber, type QueryValue } from '#contract/request';
import { JoinedList } from '#contract/text/joined-list';
import { wholeCharacters } from '#contract/text/wire-text';

/** Write fields as `a=1&b=2`: arrays repeat the name, `Deep` values use brackets, absent ones drop; objects are JSON. */
export function encodeFields(fields: Readonly<Record<string, QueryValue>>): string {
  const pairs: string[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    if (isScalar(value)) pairs.push(pair(name, value));
    else if (value instanceof Deep) encodeDeepValue(name, value.value, pairs);
    else if (value instanceof JoinedList) pairs.push(`${encode(name)}=${value.encoded(encode)}`);
    else pairs.push(...membersOf(value).map((member) => pair(name, member)));
  }
  return pairs.join('&');
}

/** Members of an object that is spread over the query may be long numbers. */
function isScalar(value: unknown): value is string | number | boolean {
  return typeof value !== 'object' || value instanceof LongNumber;
}

/** A member of an object that is spread over the query may be an object itself: it stands once. */
function membersOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A parameter without a value is left out, as in every style. */
function encodeDeepValue(name: string, value: unknown, pairs: string[]): void {
  const isEmpty = value === null || (isParts(value) && partsOf(value).length === 0);
  if (!isEmpty) encodeDeep(name, value, pairs);
}

/** @throws ToolError `invalid_arguments` for what no brackets say: nobody would learn that it was left out */
function encodeDeep(name: string, value: unknown, pairs: string[]): void {
  if (value === undefined) return;
  if (value === null) throw unsayable(name, 'null');
  if (!isParts(value)) {
    pairs.push(pair(name, value));
    return;
  }
  const parts = partsOf(value);
  if (parts.length === 0)
    throw unsayable(name, Array.isArray(value) ? 'an empty list' : 'an empty object');
  for (const [key, member] of parts) {
    if (/[[\]]|^$/.test(key)) throw misread(name, key);
    encodeDeep(`${name}[${key}]`, member, pairs);
  }
}

/** Brackets end the name of a member, and `[]` stands for the next item: it would be read as another. */
function misread(name: string, key: string): ToolError {
  const [place, shown] = [name, key].map((text) => JSON.stringify(text.slice(0, 200)));
  const message = `expected names without brackets for the members of ${place}, but ${shown} was given, which nobody would read as it is`;
  return new ToolError('invalid_arguments', message, { retryable: false });
}

function isParts(value: unknown): value is object {
  return Array.isArray(value) || (isObject(value) && !isScalar(value));
}

function partsOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

function unsayable(name: string, what: string): ToolError {
  const message = `expected a value in ${JSON.stringify(name.slice(0, 200))}, but ${what} was given, which cannot be written there: leave it out`;
  return new ToolError('invalid_arguments', message, { retryable: false });
}

function pair(name: string, value: unknown): string {
  // No style of OpenAPI says how an object stands within a list, or within another.
  const text = isScalar(value) ? String(value) : JSON.stringify(value);
  return `${encode(name)}=${encode(text)}`;
}

function encode(text: string): string {
  return encodeURIComponent(wholeCharacters(text));
}

/** Put a query string behind a path that may have one already. */
export function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
