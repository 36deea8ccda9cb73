import type { Caller } from '#contract/caller';
import { Remembered } from '../process/remembered.ts';
import { StartError } from '../process/start-error.ts';
import type { Page } from './page.ts';
import { type ScopedListing, ScopedPages } from './scoped-pages.ts';

/** How things of one kind are shown to clients. */
export interface Listing<Thing, Item> extends ScopedListing<Item> {
  /** What one of them is called: `tool`. */
  readonly kind: string;
  /** What clients read of them, asked for once somebody wants a page. */
  items(things: Iterable<Thing>): readonly Item[] | Promise<readonly Item[]>;
  /** Tell clients that the list has changed. */
  tell?(): void;
}

/** What the server offers of one kind: found by name, listed page by page, with a notice of changes. */
export class OfferedList<Thing, Item> {
  readonly #listing: Listing<Thing, Item>;
  readonly #things = new Map<string, Thing>();
  readonly #owners: Map<string, string>;
  readonly #pages: Remembered<ScopedPages<Item>>;

  /** @param owners of the names that are taken; lists whose names must differ have one in common */
  constructor(listing: Listing<Thing, Item>, owners = new Map<string, string>()) {
    this.#listing = listing;
    this.#owners = owners;
    this.#pages = new Remembered(
      async () => new ScopedPages(await listing.items(this.#things.values()), listing),
    );
  }

  get size(): number {
    return this.#things.size;
  }

  /** In the order in which they came. */
  get names(): IterableIterator<string> {
    return this.#things.keys();
  }

  get things(): IterableIterator<Thing> {
    return this.#things.values();
  }

  has(name: string): boolean {
    return this.#things.has(name);
  }

  find(name: string): Thing | undefined {
    return this.#things.get(name);
  }

  /**
   * Offer one more from now on; nobody hears of it before `changed` is called.
   *
   * @throws StartError when the name is taken
   */
  put(name: string, thing: Thing, owner: string): void {
    const other = this.#owners.get(name);
    if (other !== undefined) {
      throw new StartError(`${other} and ${owner} both offer the ${this.#listing.kind} ${name}`);
    }
    this.#owners.set(name, owner);
    this.#things.set(name, thing);
  }

  /**
   * The page that `cursor` leads to, the first one without it, of what these scopes let a caller
   * use, or could be given to use, as far as it is in this `view`; nothing when the list has changed.
   */
  async page(
    cursor?: string,
    scopes: Caller['scopes'] = 'all',
    grantable?: ReadonlySet<string>,
    view?: string,
  ): Promise<Page<Item> | undefined> {
    return (await this.#pages.get()).page(cursor, scopes, grantable, view);
  }

  /** Make the pages anew, and say so. */
  changed(): void {
    this.#pages.forget();
    this.#listing.tell?.();
  }
}
