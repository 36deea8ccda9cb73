import { isObject, type JsonPath, valueAt } from '#contract/json';
import { pageMeaning } from '#contract/text/page-names';
import type { Paging } from '#contract/tool';
import { type Headers, headerOf } from '../call/exchange.ts';
import { parseLinkHeader } from '../content/link-header.ts';
import { numberedCursor } from '../content/page-position.ts';
import { isQuery } from './place.ts';

/** One page of a list as the vendor sent it. */
export interface Page {
  readonly body: unknown;
  readonly headers: Headers;
  /** Items that it holds; absent where nobody knows which list of it is meant. */
  readonly count: number | undefined;
  /** Items that were asked for. */
  readonly limit: number | undefined;
  /** The cursor that led to it. */
  readonly cursor: string | undefined;
  /** Items on the pages before it, where that is not what was asked for. */
  readonly seen?: number | undefined;
  /** Whether an address leads to another page of the same list, as seen by this server. */
  readonly continues: (address: string) => URL | undefined;
}

/** A longer cursor is no cursor but an attack on the caller's memory. */
const longestCursor = 8192;

/** What a caller can do about a list that ends early. */
export const rest = 'narrow the list by other arguments to see the rest';

/** How a list goes on after a page. */
export interface NextPage {
  /** The cursor of the next page; none after the last one. */
  readonly cursor?: string;
  /** What keeps the rest from being read, in words. */
  readonly hint?: string;
}

/** What follows after `page`. */
export function nextPage(paging: Paging, page: Page): NextPage {
  if (isLast(paging, page)) return {};
  const cursor = cursorOf(paging, page);
  if (cursor === undefined || cursor === '') return nowhere(paging, page, cursor);
  if (isEnd(paging, cursor)) return {};
  if (cursor.length > longestCursor) {
    return {
      hint: `what leads to the next page is longer than ${longestCursor} characters; ${rest}`,
    };
  }
  if (paging.last !== undefined && Number.parseInt(cursor, 10) > paging.last) {
    return { hint: `the vendor takes no ${paging.style} above ${paging.last}; ${rest}` };
  }
  return cursor === page.cursor ? samePlace(paging, page) : { cursor };
}

/** What follows where a page leads nowhere: nothing, unless the answer says otherwise. */
function nowhere(paging: Paging, page: Page, cursor: string | undefined): NextPage {
  const found = cursor === undefined ? unfollowed(paging, page) : {};
  const { hasMore } = paging;
  const more = hasMore === undefined ? undefined : valueAt(page.body, hasMore);
  if (found.hint !== undefined || (more !== true && more !== 'true')) return found;
  return { hint: `the vendor says that more follows, but not where; ${rest}` };
}

/**
 * What follows where a page leads to its own place once more. Some vendors do so for ever: the page that
 * is not full is the last one then, unless the answer says that more follows.
 */
function samePlace({ hasMore, pageSize = 0 }: Paging, page: Page): NextPage {
  const { cursor = '', count = 0, limit = pageSize } = page;
  if (count >= limit) return { cursor };
  const more = hasMore === undefined ? undefined : valueAt(page.body, hasMore);
  if (more === undefined) return {};
  if (count > 0) return { cursor };
  return { hint: `the vendor says that more follows, but leads to this same page; ${rest}` };
}

/** Where cursors are numbers, 0 leads to the first page: after the last one there is none (Redis, SCAN). */
function isEnd({ style, next }: Paging, cursor: string): boolean {
  const isCursor = style === 'cursor' || style === 'token_body';
  // The id of an item may be 0, too.
  const isOfItem = next?.some((step) => typeof step === 'number') === true;
  return isCursor && cursor === '0' && !isOfItem;
}

function isLast({ hasMore, next, stop }: Paging, { body, headers }: Page): boolean {
  if (stop !== undefined && headerOf(headers, stop.header.toLowerCase()) === stop.value)
    return true;
  if (hasMore === undefined) return false;
  const more = valueAt(body, hasMore);
  // An answer that names the next cursor need not say it twice; an item of a list is always there.
  const isNamed = next?.every((step) => typeof step === 'string');
  if (more === undefined && isNamed) return false;
  return more === undefined || more === null || more === false || more === 0 || more === 'false';
}

function cursorOf(paging: Paging, page: Page): string | undefined {
  switch (paging.style) {
    case 'cursor':
    case 'token_body':
      return placeIn(
        headerCursor(paging, page) ?? textAt(page.body, paging.next),
        paging.parameter,
      );
    case 'date_window':
      return textAt(page.body, paging.next);
    case 'relay':
      return relayCursor(paging, page);
    case 'page':
      return numberedPage(paging, page);
    case 'offset':
      return offsetAfter(paging, page);
    case 'link_header':
      return linkedPage(paging, page);
    case 'next_url':
      return continuation(paging, page, addressAt(page.body, paging.next));
    default:
      return paging.style satisfies never;
  }
}

/**
 * The cursor of a next page that is told as an address or as its query: the value of the parameter that
 * takes it, or of the one that is called like a place in a list. A text without a query is the cursor itself.
 */
function placeIn(told: string | undefined, parameter?: string): string | undefined {
  if (told === undefined || !/^(?:https?:\/\/|\/|\?)[^?#]*\??[^#]*=/i.test(told)) return told;
  const query = [...(URL.parse(told, 'https://vendor.invalid')?.searchParams ?? [])];
  const named = query.filter(([name]) => name === parameter);
  // In an address it may be spelled otherwise than in an argument.
  const places = named.length > 0 ? named : query.filter(([name]) => pageMeaning(name) === 'place');
  const [only, another] = places;
  return only === undefined || another !== undefined ? told : only[1];
}

function headerCursor({ nextHeader }: Paging, { headers }: Page): string | undefined {
  return nextHeader === undefined ? undefined : headerOf(headers, nextHeader.toLowerCase());
}

/** Relay connections (GraphQL Cursor Connections, section 5): `next` is the cursor or its pageInfo. */
function relayCursor({ next = [] }: Paging, { body }: Page): string | undefined {
  const info = valueAt(body, next);
  if (!isObject(info)) return textAt(body, next);
  return info['hasNextPage'] === false ? undefined : textAt(info, ['endCursor']);
}

function numberedPage(paging: Paging, page: Page): string | undefined {
  const { pageSize: usual } = paging;
  const size = page.limit ?? usual;
  if (paging.next !== undefined) {
    const told = textAt(page.body, paging.next);
    const next = paging.parameter === undefined ? placeIn(told) : continuation(paging, page, told);
    // Pages count from 0 or 1: what leads there or before leads nowhere (a number that nobody has set).
    if (Number(next) <= 0) return '';
    return next === undefined || !/^\d+$/.test(next)
      ? next
      : numberedCursor(Number(next), { size, usual, seen: undefined });
  }
  const first = paging.first ?? 1;
  const current = page.cursor === undefined ? first : Number(page.cursor);
  const before = page.seen ?? (current === first ? 0 : times(current - first, size));
  // A vendor may give fewer items than it was asked for: what came counts.
  const came = page.count ?? size;
  const seen = before === undefined || came === undefined ? undefined : before + came;
  const isUsual = seen === times(current - first + 1, size);
  const more = { size, usual, seen: isUsual || paging.total === undefined ? undefined : seen };
  const next = numberedCursor(current + 1, more);
  const pages = Number(textAt(page.body, paging.pages) ?? Number.NaN);
  if (!Number.isNaN(pages)) return current - first + 1 < pages ? next : undefined;
  return hasMore(paging, page, seen) ? next : undefined;
}

function times(pages: number, size: number | undefined): number | undefined {
  return size === undefined ? undefined : pages * size;
}

function offsetAfter(paging: Paging, page: Page): string | undefined {
  if (paging.next !== undefined) return textAt(page.body, paging.next);
  const count = page.count ?? page.limit ?? paging.pageSize;
  if (count === undefined) return undefined;
  const first = paging.first ?? 0;
  const next = Number(page.cursor ?? first) + count;
  return hasMore(paging, page, next - first) ? String(next) : undefined;
}

/**
 * Whether something follows after `seen` items: the answer says so, or the page was full. Where nobody
 * knows how full it can be, or more was asked for than is sure to be given, only an empty page is the
 * last one.
 */
function hasMore(paging: Paging, page: Page, seen: number | undefined): boolean {
  if (page.count === 0) return false;
  if (paging.hasMore !== undefined) return true;
  const total = Number(textAt(page.body, paging.total) ?? Number.NaN);
  if (seen !== undefined && !Number.isNaN(total)) return seen < total;
  const limit = page.limit ?? paging.pageSize;
  if (page.count === undefined) return false;
  return limit === undefined || page.count >= limit || limit > (paging.sure ?? limit);
}

function linkedPage(paging: Paging, page: Page): string | undefined {
  return continuation(paging, page, nextLink(page));
}

function nextLink({ headers }: Page): string | undefined {
  const links = parseLinkHeader(headerOf(headers, 'link') ?? '');
  return links.find(({ relations, anchor }) => relations.includes('next') && !anchor)?.target;
}

/** What there is to say of a next page that nothing can be sent to: the list is not complete. */
function unfollowed(paging: Paging, page: Page): NextPage {
  return uncarried(paging, page) ?? unfollowedAddress(paging, page);
}

/** A cursor that is neither text nor a number cannot be given on; an empty one is none. */
function uncarried({ style, next }: Paging, { body }: Page): NextPage | undefined {
  const found = next === undefined ? undefined : valueAt(body, next);
  const isCursor = style === 'cursor' || style === 'token_body';
  if (!isCursor || found === undefined || found === null || found === false) return undefined;
  if (typeof found === 'object' && Object.keys(found).length === 0) return undefined;
  const came = Array.isArray(found) ? 'array' : typeof found;
  return { hint: `the list goes on, but what leads there is of type ${came} and no text; ${rest}` };
}

function unfollowedAddress({ style, parameter, next }: Paging, page: Page): NextPage {
  const named = style === 'next_url' || style === 'page' ? (addressAt(page.body, next) ?? '') : '';
  const address = style === 'link_header' ? nextLink(page) : named;
  if (address === undefined || address === '') return {};
  // Some vendors link a last page to the list itself.
  if (parameter !== undefined && !address.includes('?') && !isQuery(address)) return {};
  const where =
    parameter === undefined
      ? 'that is not the one of this tool, which is not followed'
      : `that has no "${parameter}" to continue with`;
  return { hint: `the list goes on at an address ${where}; ${rest}` };
}

/** What of the next page's address comes back as the cursor: one parameter or the whole query. */
function continuation(
  { parameter }: Paging,
  page: Page,
  address: string | undefined,
): string | undefined {
  if (address === undefined) return undefined;
  if (parameter !== undefined) {
    // Only the value travels on, as an argument like any other: where it came from is no matter.
    const asked = isQuery(address) ? `?${address}` : address;
    if (isValue(asked)) return asked;
    return URL.parse(asked, 'https://vendor.invalid')?.searchParams.get(parameter) ?? undefined;
  }
  return page.continues(address)?.search.slice(1);
}

/** Whether what leads on is no address but the value itself: some vendors call either `next`. */
function isValue(text: string): boolean {
  return text !== '' && !text.includes('?') && !/^(?:[a-z][a-z\d+.-]*:|[/.])/i.test(text);
}

/** The address at a path, in a link object there (JSON:API 1.1, section 5.6), or in a list of links. */
function addressAt(value: unknown, path: JsonPath | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path);
  const link = Array.isArray(found) ? found.find(leadsOn) : found;
  return [[], ['href'], ['url'], ['uri']]
    .map((each) => textAt(link, each))
    .find((each) => each !== undefined);
}

/** Whether a link is that of the next page (RFC 8288, section 3.3), and is got like this one. */
function leadsOn(link: unknown): boolean {
  if (!isObject(link)) return false;
  const { rel, relation = rel, method = 'GET' } = link;
  const isNext = [relation].flat().some((each) => /^next$/i.test(String(each)));
  return isNext && /^get$/i.test(String(method));
}

function textAt(value: unknown, path: JsonPath | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}
