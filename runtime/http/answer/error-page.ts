import { html, joined } from '#contract/html';
import type { Route } from '#contract/surface/route';
import { pageHeaders, pageText } from '../../pages/page-text.ts';
import type { Problem } from '../problem.ts';

/** What can be done about it, for people, by status. */
const advice: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: [
    'This address is not complete',
    'Something is missing in it, or is not as it should be. Open the whole link again.',
  ],
  404: ['Not found', 'There is nothing here. Open the whole link again.'],
  429: ['Too many requests', 'Wait a minute, and open the page again.'],
};

/** Whether a route shows pages to people. */
export function showsPages({ responses }: Route): boolean {
  return Object.values(responses).some(({ contentType = [] }) =>
    [contentType].flat().some((type) => type.startsWith('text/html')),
  );
}

/** Whether who asks names HTML among what it reads, as browsers do (RFC 9110 section 12.5.1). */
export function readsPages(accept: string | undefined): boolean {
  return /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(accept ?? '');
}

/** A problem as people read it: what they can do, and the words that programs get. */
export function errorPage({ status, headers, members }: Problem) {
  const [title, text] = advice[status] ?? ['This cannot be done', 'Try again later.'];
  const { detail = '' } = members as { readonly detail?: string };
  const lines = detail.split(/\n|;(?=-)/).map((line) => html`<small>${line}</small><br>`);
  const body = html`<p>${text}</p>
<p>${joined(lines)}</p>`;
  return { headers: { ...headers, ...pageHeaders() }, body: pageText(title, body) };
}
