import type { Page } from '#contract/house/pages';
import { Html, html } from '#contract/html';

/** Pieces of a page, one after the other. */
export function joined(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join('\n'));
}

/** A page that only tells something. */
export function tellingPage(title: string, ...texts: readonly string[]): Page {
  return { title, body: joined(texts.map((text) => html`<p>${text}</p>`)) };
}

/** What is wrong with what somebody has entered; screen readers tell it at once. */
export function problem(text: string | undefined): Html {
  return text === undefined ? html`` : html`<p role="alert" class="problem">${text}</p>`;
}

/** A hidden value that comes back with the form. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
