import type { Arrival } from '../arrival.ts';
import type { Caller } from '../caller.ts';
import type { Html } from '../html.ts';

/**
 * Pages for people: without scripts, framed by nobody, kept by no cache, and with forms that count
 * only where this server has shown them.
 */
export interface Pages {
  /**
   * Begin a form on the page that `http` asks for; its `field` goes into the form, and the form
   * into `show`. Pages that are open in several tabs can all be answered.
   */
  form(place: FormPlace, http: Arrival | undefined): PageForm;
  /** Headers and body of a page. */
  show(page: Page): ShownPage;
  /**
   * Whether a form was shown to this very caller in this very browser within ten minutes, and is
   * sent by the page itself. `token` is what came back in the field `token`.
   */
  accepts(place: FormPlace, token: string, http: Arrival | undefined): boolean;
}

/** What a form belongs to. */
export interface FormPlace {
  /** Path of the page, to which the form is posted as well. */
  readonly path: string;
  readonly caller: Pick<Caller, 'tenant' | 'subject'>;
}

export interface PageForm {
  /** A hidden field called `token`. */
  readonly field: Html;
  /** What the browser has to bring back, as `set-cookie` says it. */
  readonly cookie: string;
}

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly form?: PageForm;
  /** Origins to which the answer to the form sends the browser on (CSP, form-action). */
  readonly leadsTo?: readonly string[];
}

export interface ShownPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
