import { isObject, type Json } from '#contract/json';
import { speaksOfPages } from '#contract/text/page-names';
import type { Paging } from '#contract/tool';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { resolve } from '../../schema/api-operations.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedPagination, CuratedResponse } from '../../shape/curation.ts';
import type { Value } from '../../shape/request-plan.ts';
import { speaksOf } from './curated-names.ts';
import type { ToolArgument } from './tool-argument.ts';
import type { ToolInput } from './tool-input.ts';
import { call } from './value-encoding.ts';

const usualLimit = 20;
const usualMaximum = 100;

/** How a tool reads page after page. */
export interface PagingPlan {
  readonly paging: Paging;
  /** The inputs that `limit` and `cursor` fill. */
  readonly filled: ReadonlyMap<ToolInput, Value>;
  readonly arguments: readonly ToolArgument[];
  readonly continueAt?: Value;
}

/** The pagination of an operation: its own entry wins, key by key where the style stays the same. */
export function paginationOf(
  provider: CuratedPagination | undefined,
  own: CuratedPagination | undefined,
): CuratedPagination | undefined {
  if (own === undefined || provider?.style !== own.style) return own ?? provider;
  return {
    ...provider,
    ...own,
    request: { ...provider.request, ...own.request },
    response: { ...provider.response, ...own.response },
  };
}

/** The request parameter that says where a page begins. */
export function positionName({ style, request = {} }: CuratedPagination): string | undefined {
  switch (style) {
    case 'page':
      return request.page;
    case 'offset':
      return request.offset;
    case 'link_header':
    case 'next_url':
      return request.page ?? request.cursor ?? request.offset;
    default:
      return request.cursor;
  }
}

/** The input of this name that paging can fill; a header where nothing else is called so. */
export function pagingInput(
  inputs: readonly ToolInput[],
  wire: string | undefined,
): ToolInput | undefined {
  const named = inputs.filter((input) => input.wire === wire && input.from !== 'path');
  return named.find(({ from }) => from !== 'header') ?? named[0];
}

/**
 * Plan the paging of an operation that has the request parameters of its pagination; `undefined`
 * where it lacks them. An operation's own entry pages it in any case.
 */
export function planPaging(
  pagination: CuratedPagination | undefined,
  inputs: readonly ToolInput[],
  {
    isOwn,
    defaults,
    document,
    hide = [],
  }: {
    isOwn: boolean;
    defaults: Readonly<Record<string, Json>>;
    document: ApiDocument;
    /** Names that the curation keeps from callers. */
    hide?: readonly string[] | undefined;
  },
): PagingPlan | undefined {
  if (pagination === undefined || pagination.style === 'none') return undefined;
  const { style, stop } = pagination;
  const followsLinks = style === 'link_header' || style === 'next_url';
  const position = pagingInput(inputs, positionName(pagination));
  const isToldPage = style === 'page' && pagination.response?.next !== undefined;
  // A header may hold the cursor, or the whole address with it.
  const isInHeader = pagination.response?.next_header !== undefined;
  const sized = pagingInput(inputs, pagination.request?.limit);
  const limited = sized && mayCount(sized, document) ? sized : undefined;
  if (position === undefined && !followsLinks) return undefined;
  if (position === undefined && limited === undefined && !isOwn) return undefined;
  const limit =
    limited && limitArgument(pagination, limitRange(limited, document), defaults[limited.wire]);
  const sure = limited && sureSize(pagination, limited, document);
  const first = position && firstPosition(pagination, position);
  const last = position && lastPosition(pagination, position, document);
  const filled = new Map<ToolInput, Value>();
  if (limited) filled.set(limited, sentNumber(argument('limit'), limited, document));
  if (position) {
    const isNumeric = isNumber(position, document);
    const value = positionValue(style, { first, last, isNumeric });
    filled.set(position, isCounted(value) ? sentNumber(value, position, document) : value);
  }
  return {
    paging: {
      style,
      ...((followsLinks || isToldPage || isInHeader) && position && { parameter: position.wire }),
      ...(first !== undefined && { first }),
      ...(last !== undefined && { last }),
      ...(limit && { pageSize: Number(limit.default) }),
      ...(sure !== undefined && { sure }),
      ...(stop?.header_param && { stop: { header: stop.header_param, value: stop.value ?? '' } }),
    },
    filled,
    arguments: [...(limit ? [limit] : []), cursorArgument(position && defaults[position.wire])],
    ...(position === undefined && { continueAt: continuation(inputs, hide, document) }),
  };
}

/**
 * The query string of a next page, with nothing in it that the operation does not take, nor what the
 * curation keeps from callers, unless its name speaks of pages.
 */
function continuation(
  inputs: readonly ToolInput[],
  hide: readonly string[],
  document: ApiDocument,
): Value {
  const known = inputs
    .filter(({ from }) => from === 'query')
    .filter((input) => !hide.some((name) => speaksOf(name, input)) || speaksOfPages(input.wire))
    .toSorted((one, other) => (one.wire < other.wire ? -1 : 1));
  const names = new Map(known.map((input) => [input.wire, isRepeated(input, document)]));
  const after = [...names].map(([wire, repeats]) => (repeats ? [wire] : wire));
  return call('continued', argument('cursor'), { after });
}

/** A list whose members each stand behind the name (style form, exploded). */
function isRepeated({ schema, style }: ToolInput, document: ApiDocument): boolean {
  const { style: form = 'form', explode = true } = style;
  return valueKinds(document, schema).items !== undefined && form === 'form' && explode === true;
}

function isNumber({ schema }: ToolInput, document: ApiDocument): boolean {
  const { scalars, items, object } = valueKinds(document, schema);
  return scalars.size === 1 && scalars.has('number') && !items && !object;
}

/** A number that this server counts, where a body has a text in its place; elsewhere all numbers are text. */
function sentNumber(value: Value, { from, schema }: ToolInput, document: ApiDocument): Value {
  const { scalars } = valueKinds(document, schema);
  const isText = from === 'body' && scalars.size === 1 && scalars.has('string');
  return isText ? call('asText', value) : value;
}

function isCounted(value: Value): boolean {
  return value.kind === 'call' && (value.helper === 'pageNumber' || value.helper === 'offset');
}

/** A cursor comes from the caller: what cannot be one does not reach the vendor. */
function positionValue(
  style: CuratedPagination['style'],
  {
    first,
    last,
    isNumeric,
  }: { first: number | undefined; last: number | undefined; isNumeric: boolean },
): Value {
  const most = last === undefined ? [] : [last];
  if (style === 'offset') {
    // Without an end, the largest number that is exact stands in its place.
    const after = first === undefined ? most : [last ?? Number.MAX_SAFE_INTEGER, first];
    return call('offset', argument('cursor'), { after });
  }
  if (first !== undefined) {
    return call('pageNumber', argument('cursor'), { after: [first, ...most] });
  }
  return isNumeric ? call('cursorNumber', argument('cursor')) : argument('cursor');
}

/** The largest position that the description allows, where this server counts positions itself. */
function lastPosition(
  { style, response }: CuratedPagination,
  position: ToolInput,
  document: ApiDocument,
): number | undefined {
  const counts = (style === 'page' || style === 'offset') && response?.next === undefined;
  return counts ? limitRange(position, document).maximum : undefined;
}

/** The number of the first page, what the description counts from or 1, or of the first item where that is not 0. */
function firstPosition({ style, first }: CuratedPagination, input: ToolInput): number | undefined {
  if (style !== 'page' && style !== 'offset') return undefined;
  const { minimum } = isObject(input.schema) ? input.schema : {};
  const number = first ?? describedFirst(input);
  if (style === 'page') return number ?? 1;
  return number === 1 || (typeof minimum === 'number' && minimum > 0) ? number : undefined;
}

/** What a parameter counts from, as far as its description tells. */
export function describedFirst({ schema, description = '' }: ToolInput): number | undefined {
  const { default: usual, minimum } = isObject(schema) ? schema : {};
  const told = toldFirst(description);
  return [usual, minimum, told].find((value): value is number => typeof value === 'number');
}

/** What a description says in words that is counted from; nothing where it says both, or neither. */
function toldFirst(description: string): number | undefined {
  const isTold = (number: string) =>
    new RegExp(
      `\\b(?:${number})[- ](?:based|indexed)\\b|\\bstart(?:s|ing)? (?:at|from|with) (?:${number})\\b(?![.,]\\d)`,
      'i',
    ).test(description);
  const [zero, one] = [isTold('0|zero'), isTold('1|one')];
  if (zero === one) return undefined;
  return zero ? 0 : 1;
}

function limitArgument(
  { max_limit, default_limit }: CuratedPagination,
  { minimum, maximum: declared, values, unasked = usualLimit }: LimitRange,
  curated: Json | undefined,
): ToolArgument {
  const maximum = Math.min(max_limit ?? Infinity, declared ?? max_limit ?? usualMaximum);
  const most = Math.max(minimum, maximum);
  // Where nothing says how many it gives, a vendor may refuse more than it gives unasked.
  const isBounded = [max_limit, declared, values].some((bound) => bound !== undefined);
  const usual = default_limit ?? (isBounded ? usualLimit : Math.min(unasked, usualLimit));
  const within = Math.max(minimum, Math.min(usual, most));
  const nearest = values?.toSorted((a, b) => Math.abs(a - within) - Math.abs(b - within))[0];
  const chosen = typeof curated === 'number' ? curated : (nearest ?? within);
  return limitOf({ minimum, maximum: most, chosen, ...(values && { values }) }, chosen);
}

/** How many items a page may have, as far as the description says. */
interface LimitRange {
  readonly minimum: number;
  readonly maximum?: number;
  /** All that it takes, where it lists them. */
  readonly values?: readonly number[];
  /** How many there are without being asked for. */
  readonly unasked?: number;
}

function limitRange(limited: ToolInput, document: ApiDocument): LimitRange {
  const node = resolvedNode(limited, document);
  const number = (keyword: string) => {
    const value = node[keyword];
    return typeof value === 'number' ? value : undefined;
  };
  const listed: unknown = node['enum'];
  const values = Array.isArray(listed) ? listed.filter((value) => Number.isInteger(value)) : [];
  const least = [number('minimum'), inside(number('exclusiveMinimum'), 1)];
  const most = [number('maximum'), inside(number('exclusiveMaximum'), -1)];
  const maximum = Math.min(...most.flatMap((value) => value ?? []));
  const unasked = number('default');
  return {
    minimum: Math.max(1, ...least.flatMap((value) => value ?? [])),
    ...(Number.isFinite(maximum) && { maximum }),
    ...(values.length > 0 && { values }),
    ...(unasked !== undefined && Number.isInteger(unasked) && unasked > 0 && { unasked }),
  };
}

/** Whether a parameter may be a number of items: that of another operation is called `size`, too, and lists none. */
function mayCount(input: ToolInput, document: ApiDocument): boolean {
  const listed: unknown = resolvedNode(input, document)['enum'];
  return !Array.isArray(listed) || listed.some((value) => /^\d+$/.test(String(value)));
}

/** The next whole number on the allowed side of a bound that is not allowed itself. */
function inside(bound: number | undefined, step: 1 | -1): number | undefined {
  if (bound === undefined) return undefined;
  return step === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
}

/**
 * How many items on a page are sure to be given, where a description does not tell the most: many a
 * vendor silently gives fewer than it was asked for, hardly one fewer than it gives unasked.
 */
function sureSize(
  { style, response = {}, max_limit }: CuratedPagination,
  limited: ToolInput,
  document: ApiDocument,
): number | undefined {
  const { maximum, values } = limitRange(limited, document);
  const isTold = [response.next, response.has_more, response.pages].some(
    (path) => path !== undefined,
  );
  const isBounded = [maximum, values, max_limit].some((bound) => bound !== undefined);
  if ((style !== 'page' && style !== 'offset') || isTold || isBounded) return undefined;
  const { default: unasked } = resolvedNode(limited, document);
  return typeof unasked === 'number' ? unasked : usualLimit;
}

function resolvedNode(
  { schema }: ToolInput,
  document: ApiDocument,
): Readonly<Record<string, unknown>> {
  return resolve(document, { node: isObject(schema) ? schema : {}, pointer: '' }).node;
}

function limitOf(
  {
    minimum = 1,
    maximum,
    values,
    chosen,
  }: Partial<LimitRange> & { maximum: number; chosen: number },
  start: Json | undefined,
): ToolArgument {
  return made('limit', start, {
    type: 'integer',
    ...(values && { enum: values }),
    description: 'Most items to return',
    minimum,
    maximum,
    default: chosen,
  });
}

function cursorArgument(start: Json | undefined): ToolArgument {
  return made('cursor', start, {
    type: 'string',
    description: 'The next_cursor of an earlier answer, to continue after it',
  });
}

/**
 * The arguments of a tool that reads the items of a list one by one, without those that its paging
 * has: this server pages through the list itself.
 */
export function followArguments(
  follow: CuratedResponse['follow'],
  paging: PagingPlan | undefined,
): readonly ToolArgument[] {
  if (follow === undefined) return [];
  const maximum = Math.max(usualMaximum, follow.limit);
  const own = [limitOf({ maximum, chosen: follow.limit }, undefined), cursorArgument(undefined)];
  return own
    .filter(({ name }) => !paging?.arguments.some((argument) => argument.name === name))
    .map((argument) => ({ ...argument, unused: true }));
}

/** The argument from which on a long text is returned. */
export const offsetArgument: ToolArgument = {
  ...made('offset', undefined, {
    type: 'integer',
    description: 'Character to begin at, as an earlier answer said',
    minimum: 0,
    default: 0,
  }),
  unused: true,
};

function made(
  name: string,
  start: Json | undefined,
  schema: ToolArgument['converted']['schema'],
): ToolArgument {
  return {
    name,
    converted: { schema, references: new Set(), size: 1 },
    required: false,
    ...(start !== undefined && { default: start }),
  };
}

function argument(name: string): Value {
  return { kind: 'argument', name };
}
