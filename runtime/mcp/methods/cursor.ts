import type { CachePolicy, Page } from '../../offer/page.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

/** Say what is wrong with the parameters of a list. */
export function checkCursor({ cursor }: Params): string | undefined {
  return cursor === undefined || typeof cursor === 'string'
    ? undefined
    : '"cursor" must be a string';
}

export function staleCursor(): Outcome {
  return rejected(errorCode.invalidParams, 'the cursor is not valid any more; list from the start');
}

/** A page of a list as a result whose member `name` holds the items. */
export function pageOutcome<Item>(
  name: string,
  page: Page<Item> | undefined,
  show: (item: Item) => object,
): Outcome {
  if (!page) return staleCursor();
  const { items, nextCursor, cache } = page;
  const result = { [name]: items.map(show), ...(nextCursor !== undefined && { nextCursor }) };
  return { kind: 'complete', result, cache: cache satisfies CachePolicy };
}

/** What a list shows of a thing: who may use it is no matter of the protocol. */
export function withoutAccess<Thing extends { readonly access: unknown }>({
  access: _,
  ...rest
}: Thing): Omit<Thing, 'access'> {
  return rest;
}
