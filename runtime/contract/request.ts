import { ToolError } from './errors.ts';
import type { SafePath } from './path.ts';
import { JoinedList, type Separator } from './text/joined-list.ts';
import { pageMeaning } from './text/page-names.ts';
import { refusedValue } from './text/refused-value.ts';
import { wholeCharacters, wireText } from './text/wire-text.ts';

export { exploded } from './text/exploded.ts';

type Scalar = string | number | boolean;

/** A query value: arrays repeat the name (style form, exploded), objects are JSON; absent ones are left out. */
export type QueryValue = Scalar | null | undefined | readonly unknown[] | Deep | JoinedList;

/** A nested value that is written with brackets: `filter[created][gte]=1`. */
export class Deep {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown; readonly contentType?: string }
  | { readonly kind: 'form'; readonly fields: Readonly<Record<string, QueryValue>> }
  | { readonly kind: 'multipart'; readonly parts: Readonly<Record<string, unknown>> }
  | { readonly kind: 'raw'; readonly value: unknown; readonly contentType: string };

/** One HTTP request as a tool describes it; base address, credential and limits come later. */
export interface ToolRequest {
  readonly method: string;
  readonly path: SafePath;
  /** The id of one of the provider's servers; its first one when absent. */
  readonly server?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, Scalar | JoinedList | undefined>>;
  readonly body?: Body | undefined;
  /** The query string of the page to continue at, as an earlier answer named it. */
  readonly continueAt?: string | undefined;
}

/** What a style without explode joins; an object is its names and values in turn. */
type Joined = Scalar | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Style form or simple: `a,b`; of an object, names and values by turns, or `x=1,y=2` where it is exploded. */
export function csv(values: Joined | undefined, explode = false): JoinedList | string | undefined {
  return joined(values, ',', explode);
}

/** Style spaceDelimited: `a b`. */
export function spaced(values: Joined | undefined): JoinedList | string | undefined {
  return joined(values, ' ');
}

/** Style pipeDelimited: `a|b`. */
export function piped(values: Joined | undefined): JoinedList | string | undefined {
  return joined(values, '|');
}

function joined(
  values: Joined | undefined,
  separator: Separator,
  explode = false,
): JoinedList | string | undefined {
  if (typeof values !== 'object') return values === undefined ? undefined : String(values);
  if (Array.isArray(values)) return new JoinedList(values, separator);
  const members = Object.entries(values);
  if (!explode) return new JoinedList(members.flat(), separator);
  return new JoinedList(
    members.map(([name, value]) => namedPart(name, wireText(value), values)),
    separator,
  );
}

/** A member of an exploded object, where nobody can take a part of it for another one. */
function namedPart(name: string, value: string, within: Joined): string {
  const [sign] = /[=,]/.exec(name) ?? /,/.exec(value) ?? [];
  if (sign === undefined) return `${name}=${value}`;
  const what = `the member ${JSON.stringify(name.slice(0, 80))} must not hold ${JSON.stringify(sign)} in its ${name.includes(sign) ? 'name' : 'value'}`;
  throw refusedValue(within, `${what}: it tells the members apart on the wire`);
}

/**
 * A date-time (RFC 3339); a bare date becomes its first moment in UTC, and a zone without minutes gets them.
 *
 * @throws ToolError `invalid_arguments` for anything else
 */
export function dateTime(value: string): string;
export function dateTime(value: string | undefined): string | undefined;
export function dateTime(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (dateTimeForm.test(value) && isDay(value.slice(0, 10))) {
    if (value.length === 10) return `${value}T00:00:00Z`;
    return /:\d\d(?:\.\d+)?[+-]\d\d$/.test(value) ? `${value}:00` : value;
  }
  const shown = JSON.stringify(value.slice(0, 80));
  throw refusedValue(
    value,
    `expected a date or a date-time with its zone, such as 2026-01-31T09:30:00Z, but ${shown} was given`,
  );
}

/** Whether the calendar has this day. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.valueOf()) && moment.toISOString().startsWith(text);
}

/** The seconds of a minute may be 60 (RFC 3339, section 5.6). */
const dateTimeForm =
  /^\d{4}-\d\d-\d\d(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/;

/** A format of whole numbers that a reader of JSON may round (OpenAPI format registry). */
export type LongFormat = 'int64' | 'uint64';

/** Digits that are a number of their own in JSON text, however many they are. */
export type Digits = number | string | { readonly rawJSON: string };

/**
 * A whole number for a JSON body, or a list of them. It may come as its digits in a text, which go out as they are:
 * readers of JSON round what is beyond 2^53 (RFC 8259, section 6).
 *
 * @throws ToolError `invalid_arguments` for a number that has been rounded, or is beyond its format
 */
export function digits(value: number | string, format?: LongFormat): Digits;
export function digits(
  value: number | string | null | undefined,
  format?: LongFormat,
): Digits | null | undefined;
export function digits<Absent extends null | undefined>(
  value: readonly (number | string | null)[] | Absent,
  format?: LongFormat,
): readonly (Digits | null)[] | Absent;
export function digits(
  value: number | string | null | undefined | readonly (number | string | null)[],
  format?: LongFormat,
): unknown {
  if (typeof value === 'object' && value !== null) return value.map((each) => digits(each, format));
  const checked = digitsText(value, format);
  return typeof checked === 'string' ? rawJson(checked) : checked;
}

/**
 * The same where numbers are text on the wire.
 *
 * @throws ToolError `invalid_arguments` for a number that has been rounded, or is beyond its format
 */
export function digitsText(value: number | string, format?: LongFormat): number | string;
export function digitsText(
  value: number | string | undefined,
  format?: LongFormat,
): number | string | undefined;
export function digitsText<Absent extends null | undefined>(
  value: number | string | Absent,
  format?: LongFormat,
): number | string | Absent;
export function digitsText<Item extends number | string | null, Absent extends null | undefined>(
  value: readonly Item[] | Absent,
  format?: LongFormat,
): readonly Item[] | Absent;
export function digitsText(
  value: number | string | null | undefined | readonly (number | string | null)[],
  format: LongFormat = 'int64',
): unknown {
  if (typeof value === 'object' && value !== null)
    return value.map((each) => digitsText(each, format));
  if (typeof value === 'string' && !isWithin(value, format)) {
    throw refusedValue(
      value,
      `expected the digits of a whole number of format ${format}, but ${JSON.stringify(value.slice(0, 80))} was given, which is beyond it`,
    );
  }
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  throw refusedValue(
    value,
    `expected a whole number of at most 15 digits, or the digits of a longer one as text, but ${value} was given, which may have been rounded`,
  );
}

/** Whether 64 bits hold a number that is given as its digits. */
function isWithin(text: string, format: LongFormat): boolean {
  if (!/^-?\d{1,20}$/.test(text)) return false;
  const value = BigInt(text);
  return (format === 'int64' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value;
}

/** JSON.parse source text access (ECMA-262), which the types of TypeScript do not have yet. */
const { rawJSON: rawJson } = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => { readonly rawJSON: string };
};

/** A whole number within a value, as its digits: a number in JSON, and a text where all are text. */
export class LongNumber {
  readonly #digits: string;
  constructor(digits: string) {
    this.#digits = digits;
  }
  toString(): string {
    return this.#digits;
  }
  toJSON(): unknown {
    return rawJson(this.#digits);
  }
}

/**
 * Members of a body that nobody names, beside those that are arguments: these have their own rules.
 *
 * @param named them by their names on the wire, with the argument where that is called otherwise
 * @throws ToolError `invalid_arguments` for one that is an argument
 */
export function others<Given extends object | undefined>(
  given: Given,
  named: readonly (string | readonly [wire: string, argument: string])[],
): Given {
  for (const one of named) {
    const [wire, argument] = typeof one === 'string' ? [one, one] : one;
    if (given === undefined || !Object.hasOwn(given, wire)) continue;
    throw new ToolError(
      'invalid_arguments',
      `expected further members of the body only, but ${JSON.stringify(wire)} was given among them, which has an argument of its own: give it as ${JSON.stringify(argument)}`,
      { retryable: false },
    );
  }
  return given;
}

/** Style deepObject, nested to any depth. */
export function deep(value: unknown): Deep | undefined {
  return value === undefined ? undefined : new Deep(value);
}

/** A query or header value that is JSON text. */
export function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** A JSON body. */
export function json(value: unknown, contentType?: string): Body {
  return contentType === undefined ? { kind: 'json', value } : { kind: 'json', value, contentType };
}

/** A body of type application/x-www-form-urlencoded. */
export function form(fields: Readonly<Record<string, QueryValue>>): Body {
  return { kind: 'form', fields };
}

/** A body of type multipart/form-data; a part given as `{ base64, filename?, type? }` is a file. */
export function multipart(parts: Readonly<Record<string, unknown>>): Body {
  return { kind: 'multipart', parts };
}

/** A part of a multipart body whose media type the description names. */
export class TypedPart {
  readonly value: unknown;
  readonly contentType: string;
  constructor(value: unknown, contentType: string) {
    this.value = value;
    this.contentType = contentType;
  }
}

/** A part of this type (OpenAPI 3.1, encoding object, contentType), or each member of a list as one. */
export function typedPart(value: unknown, contentType: string): unknown {
  if (value === undefined || value === null) return undefined;
  const typed = (one: unknown) => new TypedPart(one, contentType);
  return Array.isArray(value) ? value.map(typed) : typed(value);
}

/** A body that is sent as it is. */
export function raw(value: unknown, contentType: string): Body {
  return { kind: 'raw', value, contentType };
}

/** A GraphQL request (GraphQL over HTTP, section 5.3). */
export function graphql(query: string, variables: Readonly<Record<string, unknown>>): Body {
  return { kind: 'json', value: { query, variables } };
}

/** `body` unless all of its members are absent: for bodies that may be left out. */
export function optional(body: Body): Body | undefined {
  return hasMembers(body) ? body : undefined;
}

function hasMembers(body: Body): boolean {
  switch (body.kind) {
    case 'form':
      return anyPresent(body.fields);
    case 'multipart':
      return anyPresent(body.parts);
    case 'raw':
      return body.value !== undefined;
    case 'json':
      return typeof body.value === 'object' && body.value !== null
        ? anyPresent(body.value)
        : body.value !== undefined;
  }
}

function anyPresent(members: object): boolean {
  return Object.values(members).some((member) => member !== undefined);
}

/** A number as a vendor takes it in a body that has a text in its place. */
export function asText(value: number): string;
export function asText(value: number | undefined): string | undefined;
export function asText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/**
 * The number of the page that `cursor` names; `first` where there is no cursor.
 *
 * @param last the largest that the vendor takes
 * @throws ToolError `invalid_arguments` for anything else
 */
export function pageNumber(cursor: string | undefined, first: number, last?: number): number {
  return cursor === undefined ? first : wholeNumber(cursor, first, last);
}

/**
 * The offset that `cursor` names, that of the first item without one.
 *
 * @param last the largest that the vendor takes
 * @param first where the vendor begins to count
 * @throws ToolError `invalid_arguments` for anything else
 */
export function offset(cursor: string | undefined, last?: number, first = 0): number {
  return cursor === undefined ? first : wholeNumber(cursor, first, last);
}

/**
 * The number that `cursor` is, where the vendor's position is one; its digits as text where they are
 * more than a number keeps.
 *
 * @throws ToolError `invalid_arguments` for anything else
 */
export function cursorNumber(cursor: string | undefined): number | string | undefined {
  if (cursor === undefined) return undefined;
  if (!/^-?\d{1,20}(?:\.\d{1,20})?$/.test(cursor)) throw noCursor(cursor);
  return String(Number(cursor)) === cursor ? Number(cursor) : cursor;
}

/**
 * What of `cursor`, the query string of a next page, may go to the vendor: it comes back from the
 * caller, who adds nothing to the request that the vendor's description does not speak of, but for
 * the names that vendors give to pages alone (see page-names.ts).
 *
 * @param known the query parameters of the operation; in brackets those that may come more than once
 * @throws ToolError `invalid_arguments` where nothing that is left can tell the page, or a name has two values
 */
export function continued(
  cursor: string | undefined,
  ...known: readonly (string | readonly [string])[]
): string | undefined {
  if (cursor === undefined) return undefined;
  const names = new Set(known.flat());
  const lists = new Set(known.filter((name) => typeof name !== 'string').flat());
  const all = [...new URLSearchParams(wholeCharacters(cursor))];
  const kept = all.filter(([name]) => names.has(name) || pageMeaning(name) !== undefined);
  // Without its position it would be the first page once more.
  const isPlaced = kept.some(([name]) => pageMeaning(name) === 'place');
  if (kept.length < all.length && !isPlaced) throw noCursor(cursor);
  const given = new URLSearchParams();
  for (const [name, value] of kept) {
    const earlier = given.get(name);
    if (earlier !== null && earlier !== value && !lists.has(name)) throw noCursor(cursor);
    if (earlier === null || lists.has(name)) given.append(name, value);
  }
  return given.toString();
}

function wholeNumber(
  cursor: string,
  least: number,
  last: number = Number.MAX_SAFE_INTEGER,
): number {
  const value = /^\d+$/.test(cursor) ? Number(cursor) : -1;
  if (value >= least && value <= last) return value;
  throw noCursor(cursor);
}

function noCursor(cursor: string): ToolError {
  return new ToolError(
    'invalid_arguments',
    `cursor must be the next_cursor of an earlier answer, but ${JSON.stringify(cursor.slice(0, 80))} was given`,
  );
}
