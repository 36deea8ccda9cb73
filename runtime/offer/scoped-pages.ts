import type { Caller } from '#contract/caller';
import type { Access } from '#contract/operation';
import { lackedScopes, noScopes } from './lacked-scopes.ts';
import { type Page, type Pages, paginate } from './page.ts';

/** More sets of scopes than that, and the pages of the first one are made anew when it comes again. */
const mostSets = 64;

type Scopes = Caller['scopes'];

/** How the items of a list are shown. */
export interface ScopedListing<Item> {
  /** Who may see an item; everybody where this is absent. */
  accessOf?(item: Item): Access;
  shown?(item: Item): unknown;
  /** Whether those see an item who see this part of the list; all of it where this is absent. */
  isIn?(item: Item, view: string): boolean;
  /** What a caller sees that lacks some scopes which it could be given; nothing where this is absent. */
  marked?(item: Item, lacks: readonly string[]): Item;
}

/** Who asks for a page. */
interface Viewer {
  readonly scopes: Scopes;
  readonly could: ReadonlySet<string>;
  readonly view: string;
}

/** The pages of one list: each caller is shown what its scopes let it use, or could let it use. */
export class ScopedPages<Item> {
  readonly #items: readonly Item[];
  readonly #listing: ScopedListing<Item>;
  readonly #accesses: readonly Access[];
  /** The scopes on which it depends what is seen. */
  readonly #relevant: readonly string[];
  readonly #pages = new Map<string, Pages<Item>>();
  /** Whoever calls again brings the same sets. */
  readonly #keys = new WeakMap<ReadonlySet<string>, string>();
  readonly #marked = new Map<string, Item>();

  constructor(items: readonly Item[], listing: ScopedListing<Item>) {
    this.#items = items;
    this.#listing = listing;
    this.#accesses = items.map((item) => listing.accessOf?.(item) ?? 'public');
    this.#relevant = [...new Set(this.#accesses.flatMap((access) => scopesOf(access)))].sort();
  }

  /**
   * The page that `cursor` leads to; the same object each time for the same scopes. What the caller
   * lacks scopes for that are among the `grantable` is shown as well, marked, after what it can use;
   * of a `view`, only what is in it.
   */
  page(
    cursor: string | undefined,
    scopes: Scopes,
    grantable: ReadonlySet<string> = noScopes,
    view = '',
  ): Page<Item> | undefined {
    const could = this.#listing.marked && scopes !== 'all' ? grantable : noScopes;
    const key = `${this.#keyOf(scopes)}|${this.#keyOf(could)}|${view}`;
    return (this.#pages.get(key) ?? this.#make(key, { scopes, could, view })).get(cursor);
  }

  #keyOf(scopes: Scopes): string {
    if (scopes === 'all') return this.#relevant.join(' ');
    let key = this.#keys.get(scopes);
    if (key === undefined) {
      key = this.#relevant.filter((scope) => scopes.has(scope)).join(' ');
      this.#keys.set(scopes, key);
    }
    return key;
  }

  #make(key: string, { scopes, could, view }: Viewer): Pages<Item> {
    const usable: Item[] = [];
    const marked: Item[] = [];
    for (const [index, item] of this.#items.entries()) {
      const lacks = lackedScopes(this.#accesses[index] ?? 'public', scopes, could);
      if (lacks === undefined || this.#listing.isIn?.(item, view) === false) continue;
      if (lacks.length === 0) usable.push(item);
      else marked.push(this.#markedOf(item, index, lacks));
    }
    // Whoever tries the first ones tries what works.
    const seen = [...usable, ...marked];
    // Nobody else may be given a list that depends on who asks.
    const scope = this.#relevant.length === 0 && view === '' ? 'public' : 'private';
    const pages = paginate(seen, this.#listing.shown, scope);
    if (this.#pages.size >= mostSets) {
      const [first] = this.#pages.keys();
      if (first !== undefined) this.#pages.delete(first);
    }
    this.#pages.set(key, pages);
    return pages;
  }

  /** The same object for all lists in which it lacks the same. */
  #markedOf(item: Item, index: number, lacks: readonly string[]): Item {
    const key = `${index} ${lacks.join(' ')}`;
    const marked = this.#marked.get(key) ?? this.#listing.marked?.(item, lacks) ?? item;
    this.#marked.set(key, marked);
    return marked;
  }
}

function scopesOf(access: Access): readonly string[] {
  return access === 'public' ? [] : access;
}
