import { isObject, type Json } from '#contract/json';
import type { Paging } from '#contract/tool';
import type { CuratedPagination, CuratedResponse } from '../../shape/curation.ts';
import type { Value } from '../../shape/request-plan.ts';
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

/** The input of this name that paging can fill. */
export function pagingInput(
  inputs: readonly ToolInput[],
  wire: string | undefined,
): ToolInput | undefined {
  return inputs.find(
    (input) => input.wire === wire && input.from !== 'path' && input.from !== 'header',
  );
}

/**
 * Plan the paging of an operation that has the request parameters of its pagination; `undefined`
 * where it lacks them. An operation's own entry pages it in any case.
 */
export function planPaging(
  pagination: CuratedPagination | undefined,
  inputs: readonly ToolInput[],
  { isOwn, defaults }: { isOwn: boolean; defaults: Readonly<Record<string, Json>> },
): PagingPlan | undefined {
  if (pagination === undefined || pagination.style === 'none') return undefined;
  const { style, stop } = pagination;
  const followsLinks = style === 'link_header' || style === 'next_url';
  const position = pagingInput(inputs, positionName(pagination));
  const limited = pagingInput(inputs, pagination.request?.limit);
  if (position === undefined && !followsLinks) return undefined;
  if (position === undefined && limited === undefined && !isOwn) return undefined;
  const limit = limited && limitArgument(pagination, limited, defaults[limited.wire]);
  const first = style === 'page' && position ? firstPage(position) : undefined;
  const filled = new Map<ToolInput, Value>();
  if (limited) filled.set(limited, argument('limit'));
  if (position) filled.set(position, positionValue(style, first));
  return {
    paging: {
      style,
      ...(followsLinks && position && { parameter: position.wire }),
      ...(first !== undefined && { first }),
      ...(limit && { pageSize: Number(limit.default) }),
      ...(stop?.header_param && { stop: { header: stop.header_param, value: stop.value ?? '' } }),
    },
    filled,
    arguments: [...(limit ? [limit] : []), cursorArgument(position && defaults[position.wire])],
    ...(position === undefined && { continueAt: argument('cursor') }),
  };
}

function positionValue(style: CuratedPagination['style'], first: number | undefined): Value {
  if (first !== undefined) return call('pageNumber', argument('cursor'), { after: [first] });
  return style === 'offset' ? call('offset', argument('cursor')) : argument('cursor');
}

/** The number of the first page: what the description counts from, else 1. */
function firstPage({ schema }: ToolInput): number {
  if (!isObject(schema)) return 1;
  const number = schema['default'] ?? schema['minimum'];
  return typeof number === 'number' ? number : 1;
}

function limitArgument(
  { max_limit, default_limit }: CuratedPagination,
  { schema }: ToolInput,
  curated: Json | undefined,
): ToolArgument {
  const declared = isObject(schema) ? schema['maximum'] : undefined;
  const maximum = max_limit ?? (typeof declared === 'number' ? declared : usualMaximum);
  const usual = default_limit ?? Math.min(usualLimit, maximum);
  const chosen = typeof curated === 'number' ? curated : usual;
  return limitOf({ maximum, chosen }, chosen);
}

function limitOf(
  { maximum, chosen }: { maximum: number; chosen: number },
  start: Json | undefined,
): ToolArgument {
  return made('limit', start, {
    type: 'integer',
    description: 'Most items to return',
    minimum: 1,
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
