import assert from 'node:assert/strict';
import type { Browser, Shown } from '../surfaces/identity/browser.ts';
import { type DescribedPage, pageNames } from './described-pages.ts';

/** Every page that people have met, by the answer that it is. */
export class PageWalk {
  readonly pages = new Map<DescribedPage, Shown[]>();
  readonly #nameOf: ReturnType<typeof pageNames>;

  constructor(described: readonly DescribedPage[]) {
    this.#nameOf = pageNames(described);
  }

  /** Open a page, as it is at the end of the way. */
  async open(person: Browser, url: string, status: number): Promise<void> {
    this.#note('get', await person.open(url), status);
  }

  /** Press a button; the page that answers is that of the form, unless it leads elsewhere. */
  async send(person: Browser, action: string, status: number, entries = {}): Promise<void> {
    const { pathname } = person.formOf(action).url;
    const shown = await person.send(action, entries);
    this.#note(new URL(shown.url).pathname === pathname ? 'post' : 'get', shown, status);
  }

  /** Send what no page of ours has made. */
  async forge(person: Browser, path: string, members: object, status = 403): Promise<void> {
    const body = new URLSearchParams({ token: '1.x', ...members }).toString();
    this.#note('post', await person.post(path, body), status);
  }

  #note(method: string, shown: Shown, status: number): void {
    const { pathname } = new URL(shown.url);
    assert.equal(shown.status, status, `${method} ${pathname}: ${shown.text.slice(0, 300)}`);
    const name = this.#nameOf(method, pathname, status);
    this.pages.set(name, [...(this.pages.get(name) ?? []), shown]);
  }
}
