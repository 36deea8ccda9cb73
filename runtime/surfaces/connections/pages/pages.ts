import type { ConnectableVendor, ConnectWay } from '#contract/connect/connectable';
import type { Page, PageForm } from '#contract/house/pages';
import { Html, html } from '#contract/html';
import type { ConnectionRow } from '../../../../generated/surfaces/connections/tables.ts';

/** A page that only tells something. */
export function tellingPage(title: string, ...texts: readonly (string | Html)[]): Page {
  return { title, body: lines(texts.map((text) => html`<p>${text}</p>`)) };
}

function lines(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join('\n'));
}

export const unknownPage = tellingPage(
  'Not found',
  'This server has no such vendor, or people connect no accounts there.',
);
export const nobodyPage = tellingPage(
  'Nobody can sign in here',
  'Only a person who has signed in can connect an account, and the operator of this server has not chosen how people sign in (SERVICE_CLAIM_AUTH).',
);
export const foreignFormPage = tellingPage(
  'Not taken',
  'This did not come from the page. Open it again and answer there.',
);
export const goneFlowPage = tellingPage(
  'This attempt is over',
  'It was finished before, or it has taken longer than ten minutes, or it did not begin here. Nothing was connected. Begin again.',
);

/** Somebody else has signed in than the page is meant for. */
export const otherPersonPage = tellingPage(
  'This page is for somebody else',
  'Whoever sent you here acts for another person than the one who has signed in with this browser. If an agent of yours has shown you this address, sign out and sign in as the person for whom it acts. If somebody else sent it to you, close this page.',
  html`<a href="/agents">What acts for you, and how to sign out</a>`,
);

/** How a vendor's account is described to its person. */
export interface ShownVendor {
  readonly vendor: ConnectableVendor;
  readonly connection: ConnectionRow | undefined;
}

/** A vendor that is not offered here any more. */
type FormerVendor = Pick<ConnectableVendor, 'id' | 'title'>;

/** All vendors, and what the person has connected there, or once had where it is not offered any more. */
export function overviewPage(
  name: string,
  vendors: readonly ShownVendor[],
  former: readonly FormerVendor[],
): Page {
  const rows = vendors.map(
    ({ vendor, connection }) =>
      html`<li><a href="/connect/${vendor.id}">${vendor.title}</a>: ${stateText(vendor, connection)}</li>`,
  );
  const left = former.map(
    ({ id, title }) =>
      html`<li><a href="/connect/${id}">${title}</a>: connected, but no agent can use it here any more</li>`,
  );
  rows.push(...left);
  const body = html`<p>You are <b>${name}</b>. Agents that act for you use these accounts, and nobody else's agents do.</p>
${rows.length === 0 ? html`<p>No vendor is enabled at which people connect accounts.</p>` : html`<ul>${lines(rows)}</ul>`}`;
  return { title: 'Your accounts at vendors', body };
}

function stateText({ ways, isShared }: ConnectableVendor, connection: ConnectionRow | undefined) {
  if (connection?.state === 'broken') return 'not taken any more, connect it again';
  if (connection) return 'connected';
  if (isShared) return 'not connected; the credential of this server is used';
  return ways.length === 0 ? 'the operator has not set it up' : 'not connected';
}

export interface ConnectPageParts extends ShownVendor {
  readonly name: string;
  readonly form: PageForm;
  /** Comes back with the forms where the page is meant for one person. */
  readonly tag: string | undefined;
  /** What agents may be allowed to do there, in the sentences that people consent to. */
  readonly sentences: readonly string[];
  /** What was wrong with the key that was pasted. */
  readonly problem?: string | undefined;
}

/** The page on which a person ends the account at a vendor that is not offered here any more. */
export function formerPage(
  parts: Pick<ConnectPageParts, 'name' | 'form' | 'tag'> & {
    readonly vendor: FormerVendor;
    readonly connection: ConnectionRow;
  },
): Page {
  const { vendor, connection, name, form } = parts;
  const body = html`<p>You are <b>${name}</b>.</p>
${connectedPart(parts, connection)}
<p>The operator of this server does not offer ${vendor.title} here any more. No agent can use the account; the token is kept, sealed, until you disconnect it.</p>`;
  return { title: `Your account at ${vendor.title}`, body, form };
}

/** The page on which a person connects, renews or ends one account. */
export function connectPage(parts: ConnectPageParts): Page {
  const { vendor, connection, name, form, sentences, problem } = parts;
  const { title, ways } = vendor;
  const body = html`${problem === undefined ? html`` : html`<p role="alert" class="problem">${problem}</p>`}
<p>You are <b>${name}</b>.</p>
${connection ? connectedPart(parts, connection) : html`<p>No account of yours is connected at ${title}.${vendor.isShared ? ' Until there is one, agents that act for you use the credential of this server there.' : ''}</p>`}
<h2>What happens with it</h2>
<ul>
<li>Agents that act for you at this server can use your account at ${title}, each as far as you have allowed it${sentences.length === 0 ? '' : ':'}${sentences.length === 0 ? html`` : html`<ul>${lines(sentences.map((sentence) => html`<li>${sentence}</li>`))}</ul>`}</li>
<li>What they do there is done in your name.</li>
<li>The token stays at this server, sealed. No agent and no other person sees it.</li>
<li>You can disconnect it on this page at any time.</li>
</ul>
<h2>${connection ? 'Connect it again, or another account' : 'Connect your account'}</h2>
${ways.length === 0 ? html`<p>The operator of this server has set up no way to connect accounts at ${title}.</p>` : lines(ways.map((way, index) => wayPart(way, index, parts)))}`;
  const leadsTo = ways.flatMap((way) => (way.kind === 'oauth2' ? [way.flow.authorizeUrl] : []));
  return { title: `Your account at ${title}`, body, form, leadsTo };
}

function connectedPart(
  { vendor, form, tag }: Pick<ConnectPageParts, 'form' | 'tag'> & { readonly vendor: FormerVendor },
  { state, account, made_at, way }: ConnectionRow,
): Html {
  const { id, title } = vendor;
  const which = account === '' ? html`An account` : html`The account <q><bdi>${account}</bdi></q>`;
  const since = `${new Date(made_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const how = way === 'key' ? 'with a key that you pasted' : 'with your consent there';
  const note =
    state === 'broken'
      ? html`<p role="status" class="problem">${title} does not take it any more. Connect it again, or disconnect it.</p>`
      : html``;
  return html`<p>${which} at ${title} is connected since ${since}, ${how}.</p>
${note}
<form method="post" action="/connect/${id}/disconnect">${form.field}${hiddenTag(tag)}<button>Disconnect</button></form>`;
}

function hiddenTag(tag: string | undefined): Html {
  return tag === undefined ? html`` : html`<input type="hidden" name="for" value="${tag}">`;
}

function wayPart(way: ConnectWay, index: number, { vendor, form, tag }: ConnectPageParts): Html {
  const { id, title } = vendor;
  const fields = html`${form.field}${hiddenTag(tag)}<input type="hidden" name="way" value="${way.kind}"><input type="hidden" name="scheme" value="${way.scheme}">`;
  if (way.kind === 'oauth2') {
    const host = new URL(way.flow.authorizeUrl).host;
    const { scopes } = way.flow;
    const asked =
      scopes.length === 0
        ? html``
        : html` It will name these rights: ${lines(scopes.map((scope) => html`<code>${scope}</code>`))}.`;
    return html`<form method="post" action="/connect/${id}">${fields}
<p>You go to <b>${host}</b>, where ${title} asks whether to let this server in, and come back.${asked}</p>
<p><button>Continue to ${title}</button></p></form>`;
  }
  const { label, url, advice } = way.key;
  const field = `key-${index}`;
  return html`<form method="post" action="/connect/${id}">${fields}
<p>${index === 0 ? 'Make' : 'Or make'} a ${label} at <a href="${url}" rel="noreferrer">${new URL(url).host}</a> and paste it here.${advice === undefined ? '' : ` ${advice}`} It is tried out once and then kept sealed.</p>
<p><label for="${field}">Your ${label}</label><input id="${field}" name="key" type="password" autocomplete="off" spellcheck="false" required maxlength="2048"></p>
<p><button>Connect with this key</button></p></form>`;
}
