import { hash } from 'node:crypto';
import { type Html, html } from '#contract/html';

const style = [
  ':root{color-scheme:light dark}',
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}',
  'h1{font-size:1.5rem}h2{font-size:1.2rem}h3{font-size:1rem;margin:1rem 0 .25rem}small{font-weight:400}',
  // What stands in a box can neither be moved out of it nor lie over what stands around it.
  'pre{direction:ltr;unicode-bidi:isolate;contain:content;line-height:1.6;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:.75rem;margin:.25rem 0 1rem}',
  '.scrolls{max-height:60vh;overflow:auto}',
  '.line{display:block;border-left:2px solid;margin-left:1rem;padding-left:.5rem}',
  '.warning{border:3px solid;padding:0 1rem;margin:1rem 0}',
  'button{font:inherit;padding:.75rem 1.5rem;margin:0 1rem 1rem 0}',
  // The colours that browsers give links are too dark for dark pages.
  'a{color:inherit}',
  'label{display:block;font-weight:600}',
  'input:not([type=hidden],[type=checkbox]){font:inherit;width:100%;max-width:24rem;box-sizing:border-box;padding:.75rem;border:1px solid}',
  'dt{font-weight:600;margin-top:.75rem}dd{margin:0}',
  '.problem{border-left:4px solid;padding-left:.75rem}',
  '.code{font:700 1.75rem/1.4 ui-monospace,monospace;letter-spacing:.08em}',
].join('');

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
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`.text;
}

/**
 * Nothing but an origin, or the scheme of an installed application, which has none: a policy must
 * not be continued by what is put into it.
 */
function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url) throw new Error(`a page leads to ${text}, which is no URL`);
  // Sources have no form for addresses of IPv6 (CSP section 2.3.1).
  if (url.origin === 'null' || url.hostname.startsWith('[')) return url.protocol;
  return url.origin;
}
