import { createHash } from 'node:crypto';

/** How long and by whom an answer may be kept (MCP 2026-07-28, caching). */
export interface CachePolicy {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** A part of a list. The same page is always the same object. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Identifies the whole list, of which this is a part. */
  readonly listHash: string;
  readonly nextCursor?: string;
  readonly cache: CachePolicy;
}

/** The pages of a list by the cursors that lead to them; none leads to the first. */
export type Pages<Item> = ReadonlyMap<string | undefined, Page<Item>>;

const pageSize = 200;

const ttlMs = 300_000;

/**
 * Cut a list into pages; a cursor names the list, so that it is worth nothing once that changed.
 *
 * @param shown what clients are told of an item, where that is not all of it
 * @param scope whether every caller sees the same list
 */
export function paginate<Item>(
  items: readonly Item[],
  shown: (item: Item) => unknown = (item) => item,
  scope: CachePolicy['scope'] = 'public',
): Pages<Item> {
  const listHash = hashOf(items, shown);
  const cache = { ttlMs, scope };
  const pages = new Map<string | undefined, Page<Item>>();
  let cursor: string | undefined;
  for (let start = 0; start === 0 || start < items.length; start += pageSize) {
    const end = start + pageSize;
    const page = { items: items.slice(start, end), listHash, cache };
    const nextCursor = end < items.length ? cursorAt(listHash, end) : undefined;
    pages.set(cursor, nextCursor === undefined ? page : { ...page, nextCursor });
    cursor = nextCursor;
  }
  return pages;
}

function hashOf<Item>(items: readonly Item[], shown: (item: Item) => unknown): string {
  const hash = createHash('sha256');
  for (const item of items) hash.update(JSON.stringify(shown(item)));
  return hash.digest('base64url').slice(0, 22);
}

function cursorAt(catalogHash: string, offset: number): string {
  return Buffer.from(JSON.stringify({ catalogHash, offset })).toString('base64url');
}
