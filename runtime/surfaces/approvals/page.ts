import type { Approval, EarlierAct, ShownArgument } from '#contract/house/approval';
import type { Page, PageForm } from '#contract/house/pages';
import { type Html, html, joined } from '#contract/html';

/** After the escape of a line break, but not after one of a backslash before an `n`. */
const lineBreak = /(?<=(?<!\\)(?:\\\\)*\\n)/;
/** More than that does not fit into its box on a phone. */
const longValue = 250;

/**
 * The page that asks. Every argument stands in a box of its own, whole: a long one scrolls there.
 * `email` is that of the person who has signed in.
 */
export function askingPage(approval: Approval, form: PageForm, email?: string): Page {
  const { asker, client, operation, question, earlier, expiresAt } = approval;
  const { title, description, arguments: shown } = question;
  const through =
    client === ''
      ? html`a client that gives itself no name`
      : html`a client that calls itself <q>${client}</q> (its own word, which nobody has checked)`;
  const who =
    email === undefined ? html`<b>${asker}</b>` : html`What acts for you, <b>${email}</b>,`;
  const body = html`<p>${who} asks, through ${through}, to run <b><code>${operation}</code></b>.</p>
${title === undefined ? '' : html`<p><b>${title}</b></p>`}
${description === undefined ? '' : html`<p>${description}</p>`}
${earlier ? html`<div class="warning" role="note">${earlierNote(earlier)}</div>` : ''}
<h2>${shown.length === 0 ? 'It is called without arguments' : 'It is called with'}</h2>
${joined(shown.map(argumentBox))}
<p>What stands in the boxes was written by an agent and may be meant to mislead you. ‹…› is what cannot be seen, or is not shown. Nothing is done before you approve. This page expires at ${new Date(expiresAt).toISOString()}.</p>
<form method="post">${form.field}
<button name="decision" value="declined">Decline</button> <button name="decision" value="approved">Approve once</button></form>`;
  return { title: 'Approve this call?', body, form };
}

/** The box can be reached and scrolled with the keyboard (WCAG 2.2, 2.1.1). */
function argumentBox({ name, value }: ShownArgument, index: number): Html {
  const id = `argument-${index + 1}`;
  const more = value.length > longValue ? ', scroll to read all of them' : '';
  const size = `${value.length} characters${more}`;
  return html`<h3 id="${id}"><code>${name}</code> <small>${size}</small></h3>
<pre class="scrolls" tabindex="0" role="region" aria-labelledby="${id}">${withLines(value)}</pre>
`;
}

/**
 * Let a text go on in a line of its own after each of its line breaks, which stay there as `\n`. A
 * bar stands before such lines, which no text can draw: none passes for a member of something.
 */
function withLines(json: string): Html {
  const lines = json.split('\n').map((line) => {
    // At the end of its line, ours makes no further one.
    const [first = '', ...rest] = `${line}\n`.split(lineBreak);
    return html`${first}${joined(rest.map((each) => html`<span class="line">${each}</span>`))}`;
  });
  return joined(lines);
}

function earlierNote({ state, at, answer }: EarlierAct): Html {
  const when = new Date(at).toISOString();
  switch (state) {
    case 'running':
      return html`<p><b>The very same call was approved before.</b> It began at ${when} and has not told its end: it may have taken effect.</p>`;
    case 'failed':
      return html`<p><b>The very same call was approved before.</b> It began at ${when} and failed. It may have taken effect all the same. The answer was:</p>
<pre class="scrolls" tabindex="0" role="region" aria-label="The answer to the earlier call">${answer}</pre>`;
    case 'done':
      return html`<p><b>The very same call was approved before</b>, and was done: it began at ${when}. If you approve, it is done once more.</p>`;
  }
}

/** Tells nothing of what is asked, nor of whom, nor whether there is anything to decide. */
export function gonePage(email: string | undefined): Page {
  const gone = 'There is no such request for approval, or it has expired';
  if (email === undefined) return tellingPage('Not found', `${gone}.`);
  const body = html`<p>${gone}, or it is not for <b>${email}</b>: only the person for whom an agent acts can decide what it does.</p>
<p>If you have another address here, <a href="/agents">sign out</a>, sign in as somebody else, and open this page again.</p>`;
  return { title: 'Not found', body };
}

/** A page that only tells something. */
export function tellingPage(title: string, text: string): Page {
  return { title, body: html`<p>${text}</p>` };
}
