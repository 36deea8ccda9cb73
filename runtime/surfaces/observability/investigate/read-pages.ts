import type { CallContext } from '#contract/caller';
import { type Gathered, gather, type QueryParts } from '../query/federate.ts';
import { pageFrom } from '../query/page-from.ts';
import type { AskedProvider } from '../query/question.ts';
import type { ReadQuery } from '../query/read-input.ts';
import type { Position } from '../query/write/cursor.ts';

/** Pages of a query, one after the other. */
export interface Pages {
  readonly pages: readonly Gathered[];
  /** Whether nothing follows them. */
  readonly isWhole: boolean;
}

/** Read the pages of a query, to so many rows, and for as long as its time lasts. */
export async function readPages<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  query: ReadQuery,
  context: CallContext,
  mostRows: number,
): Promise<Pages> {
  const endMs = parts.now() + query.timeoutMs;
  const pages: Gathered[] = [];
  let rows = 0;
  let position: Position | undefined;
  let isWhole = true;
  for (;;) {
    const gathered = await gather(parts, pageFrom(query, position, query.pageRows), context);
    const { page } = gathered;
    pages.push(gathered);
    rows += page.rows.length;
    if (!page.hasMore) return { pages, isWhole: isWhole && !page.isStuck };
    const end = page.endAt?.(page.rows.length);
    if (end === undefined || rows >= mostRows || parts.now() >= endMs) {
      return { pages, isWhole: false };
    }
    if (end.passes !== undefined) isWhole = false;
    position = end;
  }
}
