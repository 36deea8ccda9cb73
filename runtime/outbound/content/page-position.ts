import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Paging, VendorTool } from '#contract/tool';

type Arguments = Readonly<Record<string, unknown>>;

/** Where in a list a call starts, and how much of it the caller wants. */
export interface PagePosition {
  /** The arguments with the vendor's own cursor, and the limit of the first page. */
  readonly args: Arguments;
  readonly cursor: string | undefined;
  /** The cursor as it was given, without the items to skip. */
  readonly given: string;
  /** Items at the start of the vendor's page that an earlier call has delivered. */
  readonly skip: number;
  readonly limit: number | undefined;
  /** Items on the pages before this one, where they are not what was asked for. */
  readonly seen: number | undefined;
  /** What tells the page before this one, where only another page shows that the list goes on. */
  readonly before?: string | undefined;
}

/** What of a tool decides how its cursors are read. */
export type Paged = Pick<VendorTool, 'paging' | 'input'>;

// A page that did not fit into one result continues here: so many items into that vendor page, of
// that size where it is not the usual one.
const insidePage = /^skip=(\d{1,6})(?:\/(\d{1,6}))?;(.*)$/s;
// What the page before was, where the vendor may ignore which page it is asked for.
const afterPage = /^was=([\w-]{8});(.*)$/s;
// An address that a vendor names, and a number of a page that it gives, mean pages of the size that was asked for.
const ofSize = /^each=(\d{1,6});(.*)$/s;
// What a vendor gave as it is, where it begins like one of these.
const asGiven = /^as=(.*)$/s;
const ownMark = /^(?:skip|was|each|as)=/;
// A number of a page says nothing without the size of the pages, where it is not the usual one, and
// without the items on those before it, where they were fewer than asked for.
const numbered = /^(\d+)(?:\/(\d{0,6})(?:\/(\d{1,12}))?)?$/;

/**
 * Read `cursor` and `limit`. What a cursor tells of the size of its pages holds: another one would
 * leave out items, or give them twice.
 *
 * @throws ToolError `invalid_arguments` for a cursor with a size that the tool does not take
 */
export function readPosition(args: Arguments, tool: Paged): PagePosition {
  const { cursor, limit } = args;
  const wanted = typeof limit === 'number' ? limit : undefined;
  const start = { cursor: undefined, given: '', skip: 0, limit: wanted, seen: undefined };
  if (typeof cursor !== 'string') return { args, ...start };
  const [, skip, size = '', given = cursor] = insidePage.exec(cursor) ?? [];
  const [, each = '', sized = given] = ofSize.exec(given) ?? [];
  const [, before, after = sized] = afterPage.exec(sized) ?? [];
  const [, place = after] = asGiven.exec(after) ?? [];
  const page = tool.paging?.style === 'page' ? numbered.exec(place) : null;
  const [, own = place === '' ? undefined : place, pageSize = '', seen] = page ?? [];
  const told = [size, each, pageSize].find((text) => text !== '') ?? '';
  const isSized = page !== null || skip !== undefined || each !== '';
  const most = isSized && tool.paging?.pageSize !== undefined ? sizeOf(told, tool) : wanted;
  const { cursor: _, limit: __, ...others } = args;
  return {
    args: {
      ...others,
      ...(most !== undefined && { limit: most }),
      ...(own !== undefined && { cursor: own }),
    },
    cursor: own,
    given,
    skip: Number(skip ?? 0),
    limit: most,
    seen: seen === undefined ? undefined : Number(seen),
    ...(before !== undefined && { before }),
  };
}

/** The size that a cursor tells; the usual one goes without saying. */
function sizeOf(told: string, { paging, input }: Paged): number | undefined {
  if (told === '') return paging?.pageSize;
  const size = Number(told);
  const { properties } = input;
  const schema = isObject(properties) && isObject(properties['limit']) ? properties['limit'] : {};
  const { minimum = 1, maximum = size, enum: values } = schema;
  const isTaken = size >= Number(minimum) && size <= Number(maximum);
  if (isTaken && (!Array.isArray(values) || values.includes(size))) return size;
  throw new ToolError(
    'invalid_arguments',
    `cursor must be the next_cursor of an earlier answer, but it asks for pages of ${size} items`,
  );
}

/** The cursor that continues inside the page at `position`, after `delivered` of its items. */
export function cursorInside(
  { given, limit }: PagePosition,
  delivered: number,
  paging: Paging | undefined,
): string {
  const usual = paging?.pageSize;
  const size = usual === undefined || limit === undefined || limit === usual ? '' : `/${limit}`;
  return `skip=${delivered}${size};${given}`;
}

/** The cursor of a numbered page: its size where it is not the usual one, what was seen where that is not told by it. */
export function numberedCursor(
  page: number,
  {
    size,
    usual,
    seen,
  }: { size: number | undefined; usual: number | undefined; seen: number | undefined },
): string {
  const told = usual === undefined || size === undefined || size === usual ? '' : String(size);
  if (seen !== undefined) return `${page}/${told}/${seen}`;
  return told === '' ? String(page) : `${page}/${told}`;
}

/** A cursor that came from the vendor, with the size of its pages where that is not the usual one and matters. */
export function sizedCursor(
  cursor: string,
  { style, parameter, pageSize: usual }: Paging,
  size: number | undefined,
): string {
  const isAddress = (style === 'link_header' || style === 'next_url') && parameter === undefined;
  const isNumber = style !== 'page' && style !== 'offset' && /^\d+$/.test(cursor);
  const isOdd = usual !== undefined && size !== undefined && size !== usual;
  return isOdd && (isAddress || isNumber) ? `each=${size};${cursor}` : cursor;
}

/** A cursor that came from the vendor, and is not read as one that this server has marked. */
export function unmarked(cursor: string): string {
  return ownMark.test(cursor) ? `as=${cursor}` : cursor;
}

/** A cursor that remembers the page which it follows. */
export function cursorAfter(page: string, cursor: string): string {
  return `was=${page};${cursor}`;
}

/** The argument `offset` of a text that is read in parts. */
export function readOffset({ offset }: Arguments): number {
  if (offset === undefined) return 0;
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new ToolError('invalid_arguments', 'offset must be a whole number, 0 or more');
}
