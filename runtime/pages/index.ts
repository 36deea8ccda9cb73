import type { Arrival } from '#contract/arrival';
import type { Pages } from '#contract/house/pages';
import { html } from '#contract/html';
import { type FormTokenParts, FormTokens } from './form-tokens.ts';
import { pageHeaders, pageText } from './page-text.ts';

/** Put together what makes pages, and forms that no other site can send. */
export function createPages(parts: FormTokenParts): Pages {
  const tokens = new FormTokens(parts);
  return {
    form(place, http) {
      const { token, cookie } = tokens.issue(place, cookiesOf(http));
      return { field: html`<input type="hidden" name="token" value="${token}">`, cookie };
    },
    show({ title, body, form, leadsTo }) {
      const headers = pageHeaders(leadsTo);
      return {
        headers: form ? { ...headers, 'set-cookie': form.cookie } : headers,
        body: pageText(title, body),
      };
    },
    accepts(place, token, http) {
      if (!http || !isOwnPage(http)) return false;
      return tokens.accepts(place, token, cookiesOf(http));
    },
  };
}

function cookiesOf(http: Arrival | undefined): string {
  return String(http?.headers['cookie'] ?? '');
}

/**
 * Whether the browser says that a page of this very server sends the request (Fetch Metadata;
 * Fetch, Origin header). What says nothing of it is left to the token: cookies are shared by all
 * ports of a host, but not the page in which the token stands.
 */
function isOwnPage({ headers }: Arrival): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || URL.parse(String(origin))?.host === host;
}
