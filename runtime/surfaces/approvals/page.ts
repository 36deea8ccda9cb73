import { hash } from 'node:crypto';
import type { Approval } from '#contract/house/approval';
import { type Html, html } from './html.ts';

const style =
  'body{font:1rem/1.5 sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:1rem}button{font:inherit;padding:.5rem 1.5rem;margin-right:1rem}';

/** Nothing is loaded, nothing runs, nobody frames the page, and no cache keeps it. */
export const pageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The page that asks. */
export function askingPage(approval: Approval, token: string): string {
  const until = new Date(approval.expiresAt).toISOString();
  return page(
    'Approve this call?',
    html`<p><b>${approval.subject}</b> asks through ${approval.client}, to run <b>${approval.operation}</b>:</p>
<pre>${approval.summary}</pre>
<p>What an agent writes above may be meant to mislead you. Nothing is done before you approve. This page expires at ${until}.</p>
<form method="post"><input type="hidden" name="token" value="${token}">
<button name="decision" value="declined">Decline</button><button name="decision" value="approved">Approve once</button></form>`,
  );
}

/** A page that only tells something. */
export function tellingPage(title: string, text: string): string {
  return page(title, html`<p>${text}</p>`);
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`.text;
}
