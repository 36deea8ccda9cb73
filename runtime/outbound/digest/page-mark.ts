import { hash } from 'node:crypto';
import { isObject } from '#contract/json';
import type { Paging } from '#contract/tool';
import { cursorAfter, type PagePosition, unmarked } from '../content/page-position.ts';
import type { NextPage } from './paging.ts';

const idName = /^_?(?:id|uuid|guid|key)$|[a-z]_?(?:Id|ID)$|_id$/;

/**
 * What tells a page from others, where equal items are the same one: a few objects, or one with an
 * id. Values alone may well be equal from page to page.
 */
function markOf(items: readonly unknown[]): string | undefined {
  const [first] = items;
  if (!isObject(first) || !items.every(isObject)) return undefined;
  if (items.length === 1 && !Object.keys(first).some((name) => idName.test(name))) return undefined;
  return hash('sha256', JSON.stringify(items), 'base64url').slice(0, 8);
}

/** Whether nothing but the page itself shows that a list goes on: a vendor may ignore its position for ever. */
function isEndless({ style, next, total, pages }: Paging, cursor: string, own: string | undefined) {
  if (style !== 'page' && style !== 'offset') return cursor === own;
  return next === undefined && total === undefined && pages === undefined;
}

/**
 * How a list goes on where its vendor may give the same page again and again, whatever it is asked for:
 * the cursor remembers the page, and the list ends where that comes once more.
 */
export function unlessRepeated(
  found: NextPage,
  paging: Paging,
  { items, position }: { items: readonly unknown[]; position: PagePosition },
): NextPage {
  const { cursor } = found;
  const own = position.cursor === undefined ? undefined : unmarked(position.cursor);
  if (cursor === undefined || !isEndless(paging, cursor, own)) return found;
  const mark = markOf(items);
  if (mark === undefined) return found;
  if (mark !== position.before) return { cursor: cursorAfter(mark, cursor) };
  const hint = `these are the items of the page before once more: the vendor ends there, or gives no other page; narrow the list by other arguments to see the rest`;
  return { hint };
}
