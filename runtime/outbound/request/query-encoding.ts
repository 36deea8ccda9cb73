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
    else if (value instanceof Deep) encodeDeep(name, value.value, pairs);
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

function encodeDeep(name: string, value: unknown, pairs: string[]): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) encodeDeep(`${name}[${index}]`, member, pairs);
  } else if (isObject(value) && !isScalar(value)) {
    for (const [key, member] of Object.entries(value)) encodeDeep(`${name}[${key}]`, member, pairs);
  } else {
    pairs.push(pair(name, value));
  }
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
