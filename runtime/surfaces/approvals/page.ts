import type { Approval } from '#contract/house/approval';
import type { Page, PageForm } from '#contract/house/pages';
import { html } from '#contract/html';

/** The page that asks. */
export function askingPage(approval: Approval, form: PageForm): Page {
  const until = new Date(approval.expiresAt).toISOString();
  const body = html`<p><b>${approval.subject}</b> asks through ${approval.client}, to run <b>${approval.operation}</b>:</p>
<pre>${approval.summary}</pre>
<p>What an agent writes above may be meant to mislead you. Nothing is done before you approve. This page expires at ${until}.</p>
<form method="post">${form.field}
<button name="decision" value="declined">Decline</button><button name="decision" value="approved">Approve once</button></form>`;
  return { title: 'Approve this call?', body, form };
}

/** A page that only tells something. */
export function tellingPage(title: string, text: string): Page {
  return { title, body: html`<p>${text}</p>` };
}
