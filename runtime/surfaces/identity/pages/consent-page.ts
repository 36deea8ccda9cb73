import type { Page, PageForm } from '#contract/house/pages';
import { Html, html } from '#contract/html';
import type { OAuthClient } from '../clients/client.ts';
import { isLoopbackRedirect } from '../clients/redirect-uri.ts';
import type { Person } from '../people/person.ts';

/** What the page shows of a request. */
export interface ConsentView {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scopes: readonly { readonly name: string; readonly sentence: string }[];
  readonly person: Person;
  /** What is given access to. */
  readonly resource: string;
  /** Comes back with the form. */
  readonly key: string;
}

/** The page on which a person lets a client in. */
export function consentPage(view: ConsentView, form: PageForm): Page {
  const { client, person, resource, key } = view;
  const name = client.name === '' ? 'A program without a name' : `“${client.name}”`;
  const body = html`<p><b>${name}</b> asks for access to <b>${resource}</b> in your name. You are signed in as <b>${person.email}</b>.</p>
<dl><dt>Who asks</dt><dd>${origin(client)}</dd><dt>Where you go afterwards</dt><dd>${redirectHost(view.redirectUri)}</dd></dl>
${warning(view)}
<form method="post">${form.field}<input type="hidden" name="request" value="${key}">
<fieldset><legend>What it may do</legend>
${scopeBoxes(view.scopes)}</fieldset>
<p>Go on only if you have just started this yourself. You can take the access back at any time.</p>
<button name="decision" value="deny">Cancel</button><button name="decision" value="allow">Allow</button></form>`;
  const leadsTo = [view.redirectUri];
  return { title: 'Allow access?', body, form, leadsTo };
}

/** What the page shows that asks for more. */
export interface ElevationView extends Pick<ConsentView, 'scopes' | 'person' | 'key'> {
  /** What the one that asks calls itself; empty where it does not. */
  readonly asker: string;
}

/** The page on which a person gives more to what acts for them already. */
export function elevationPage({ scopes, person, key, asker }: ElevationView, form: PageForm): Page {
  const asked = scopes.map(
    ({ name, sentence }) => html`<li>${sentence} <small>(${name})</small></li>
`,
  );
  const body = html`<p>${asker === '' ? 'Something without a name' : `“${asker}”`}, which acts for you already, asks to do more. You are signed in as <b>${person.email}</b>.</p>
<ul>
${new Html(asked.map(({ text }) => text).join(''))}</ul>
<p>Go on only if you know what it needs this for. You can take the access back at any time.</p>
<form method="post">${form.field}<input type="hidden" name="request" value="${key}">
<button name="decision" value="deny">Cancel</button><button name="decision" value="allow">Allow</button></form>`;
  return { title: 'Allow more?', body, form };
}

function scopeBoxes(scopes: ConsentView['scopes']): Html {
  const boxes = scopes.map(
    ({ name, sentence }) =>
      html`<p><label><input type="checkbox" name="scope" value="${name}" checked> ${sentence} <small>(${name})</small></label></p>
`,
  );
  return new Html(boxes.map(({ text }) => text).join(''));
}

function origin({ kind, id }: OAuthClient): string {
  switch (kind) {
    case 'document':
      return `${new URL(id).host}, which describes the program at ${id}`;
    case 'configured':
      return 'a program that the operator of this server knows';
    case 'dynamic':
      return 'a program that has registered itself; nobody has checked its name';
  }
}

function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (isLoopbackRedirect(uri)) return `a program on this computer (${host})`;
  return protocol === 'https:' ? host : `a program on this computer (${protocol}//)`;
}

/** On the machine of a person, any program can take the place of the one that is named. */
function warning({ client, redirectUri }: ConsentView): Html {
  if (redirectUri.startsWith('https:') && client.kind !== 'dynamic') return html``;
  return html`<p><strong>The name above is not proven.</strong> Any program could call itself so.</p>`;
}

/** A page that says that something cannot be done. */
export function refusedPage(title: string, text: string): Page {
  return { title, body: html`<p>${text}</p>` };
}
