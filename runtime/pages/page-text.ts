import { hash } from 'node:crypto';
import { type Html, html } from '#contract/html';

const style =
  'body{font:1rem/1.5 sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:1rem}button{font:inherit;padding:.5rem 1.5rem;margin-right:1rem}';

const policy = {
  'default-src': "'none'",
  'style-src': `'sha256-${hash('sha256', style, 'base64')}'`,
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

const headers = {
  'cache-control': 'no-store',
  // With less, browsers would send their forms with `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * What is sent with every page: nothing is loaded, nothing runs, nobody frames the page, no cache
 * keeps it, and its forms lead to this server, or through it to `leadsTo`.
 */
export function pageHeaders(leadsTo: readonly string[] = []): Readonly<Record<string, string>> {
  const targets = ["'self'", ...leadsTo.map(originOf)].join(' ');
  const directives = Object.entries({ ...policy, 'form-action': targets });
  const text = directives.map(([name, value]) => `${name} ${value}`).join('; ');
  return { ...headers, 'content-security-policy': text };
}

/** The text of a page. */
export function pageText(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`.text;
}

/** Nothing but an origin: a policy must not be continued by what is put into it. */
function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url || url.origin === 'null') throw new Error(`a page leads to ${text}, which is no origin`);
  return url.origin;
}
