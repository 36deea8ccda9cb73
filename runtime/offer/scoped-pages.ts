import type { Caller } from '#contract/caller';
import type { Access } from '#contract/operation';
import { type Page, type Pages, paginate } from './page.ts';

/** More sets of scopes than that, and the pages of the first one are made anew when it comes again. */
const mostSets = 64;

type Scopes = Caller['scopes'];

/** How the items of a list are shown. */
export interface ScopedListing<Item> {
  /** Who may see an item; everybody where this is absent. */
  accessOf?(item: Item): Access;
  shown?(item: Item): unknown;
}

/** The pages of one list: each caller is shown what its scopes let it use. */
export class ScopedPages<Item> {
  readonly #items: readonly Item[];
  readonly #listing: ScopedListing<Item>;
  readonly #accesses: readonly Access[];
  /** The scopes on which it depends what is seen. */
  readonly #relevant: readonly string[];
  readonly #pages = new Map<string, Pages<Item>>();

  constructor(items: readonly Item[], listing: ScopedListing<Item>) {
    this.#items = items;
    this.#listing = listing;
    this.#accesses = items.map((item) => listing.accessOf?.(item) ?? 'public');
    this.#relevant = [...new Set(this.#accesses.flatMap((access) => scopesOf(access)))].sort();
  }

  /** The page that `cursor` leads to; the same object each time for the same scopes. */
  page(cursor: string | undefined, scopes: Scopes): Page<Item> | undefined {
    const key = this.#keyOf(scopes);
    return (this.#pages.get(key) ?? this.#make(key, scopes)).get(cursor);
  }

  #keyOf(scopes: Scopes): string {
    if (scopes === 'all') return this.#relevant.join(' ');
    return this.#relevant.filter((scope) => scopes.has(scope)).join(' ');
  }

  #make(key: string, scopes: Scopes): Pages<Item> {
    const seen = this.#items.filter((_, index) => {
      const needed = scopesOf(this.#accesses[index] ?? 'public');
      return scopes === 'all' || needed.every((scope) => scopes.has(scope));
    });
    // Nobody else may be given a list that depends on who asks.
    const scope = this.#relevant.length === 0 ? 'public' : 'private';
    const pages = paginate(seen, this.#listing.shown, scope);
    if (this.#pages.size >= mostSets) {
      const [first] = this.#pages.keys();
      if (first !== undefined) this.#pages.delete(first);
    }
    this.#pages.set(key, pages);
    return pages;
  }
}

function scopesOf(access: Access): readonly string[] {
  return access === 'public' ? [] : access;
}
