import type { Page, PageForm } from '#contract/house/pages';
import { html } from '#contract/html';
import { hidden, joined } from './parts.ts';

/** Something that acts for a person. */
export interface ActingAgent {
  readonly id: string;
  /** As it calls itself; empty where it does not. */
  readonly name: string;
  readonly kind: string;
  readonly since: string;
  readonly used: string;
  /** Where it was registered from; absent where nobody knows. */
  readonly network?: string;
  /** The sentences of what it may do. */
  readonly scopes: readonly string[];
}

/** What acts for a person, each with a button that ends it. */
export function agentsPage(
  email: string,
  agents: readonly ActingAgent[],
  forms: { readonly form: PageForm; readonly note?: string | undefined },
): Page {
  const { form, note } = forms;
  const list = agents.map(
    ({ id, name, kind, since, used, network, scopes }, index) => html`<section>
<h2 id="agent-${String(index)}">${name === '' ? 'An agent without a name' : html`“<bdi>${name}</bdi>”`}</h2>
<p>${kind}, since ${since}${network === undefined ? '' : `, registered from ${network}`}. Last used: ${used}.</p>
<ul>${joined(scopes.map((scope) => html`<li>${scope}</li>`))}</ul>
<form method="post" action="/agents/revoke">${form.field}${hidden('id', id)}<button aria-describedby="agent-${String(index)}">Revoke</button></form>
</section>`,
  );
  const body = html`<p>You have signed in as <b>${email}</b>.</p>
${note === undefined ? html`` : html`<p role="status" class="problem">${note}</p>`}
${agents.length === 0 ? html`<p>Nothing acts for you at this server.</p>` : joined(list)}
<form method="post" action="/agents/sign-out">${form.field}<p><button>Sign out</button></p></form>`;
  return { title: 'What acts for you', body, form };
}
