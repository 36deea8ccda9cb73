import { ToolError } from '#contract/errors';

type Arguments = Readonly<Record<string, unknown>>;

/** Where in a list a call starts, and how much of it the caller wants. */
export interface PagePosition {
  /** The arguments with the vendor's own cursor. */
  readonly args: Arguments;
  readonly cursor: string | undefined;
  /** Items at the start of the vendor's page that an earlier call has delivered. */
  readonly skip: number;
  readonly limit: number | undefined;
}

// A page that did not fit into one result continues here: so many items into that vendor page.
const insidePage = /^skip=(\d{1,6});(.*)$/s;

/** Read `cursor` and `limit`. */
export function readPosition(args: Arguments): PagePosition {
  const { cursor, limit } = args;
  const wanted = typeof limit === 'number' ? limit : undefined;
  if (typeof cursor !== 'string') return { args, cursor: undefined, skip: 0, limit: wanted };
  const inside = insidePage.exec(cursor);
  if (inside === null) return { args, cursor, skip: 0, limit: wanted };
  const { cursor: _, ...others } = args;
  const own = inside[2] === '' ? undefined : inside[2];
  return {
    args: own === undefined ? others : { ...others, cursor: own },
    cursor: own,
    skip: Number(inside[1]),
    limit: wanted,
  };
}

/** The cursor that continues inside the page at `position`, after `delivered` of its items. */
export function cursorInside({ cursor = '' }: PagePosition, delivered: number): string {
  return `skip=${delivered};${cursor}`;
}

/** The argument `offset` of a text that is read in parts. */
export function readOffset({ offset }: Arguments): number {
  if (offset === undefined) return 0;
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new ToolError('invalid_arguments', 'offset must be a whole number, 0 or more');
}
