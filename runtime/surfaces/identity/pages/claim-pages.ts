import type { Page, PageForm } from '#contract/house/pages';
import { type Html, html } from '#contract/html';
import { hidden, joined, problem, tellingPage } from './parts.ts';

/** What a person is told before they agree. */
export interface ClaimFacts {
  /** With which they have signed in. */
  readonly email: string;
  /** As the agent calls itself; empty where it does not. */
  readonly agent: string;
  readonly software: string;
  /** In the list of trusted issuers; absent where nobody vouches for the agent. */
  readonly provider: string | undefined;
  readonly network: string;
  /** How long ago it was registered, in words. */
  readonly age: string;
  /** The sentences of what it will be allowed to do. */
  readonly scopes: readonly string[];
  readonly advisories: readonly ('first_time_account' | 'first_time_provider')[];
}

interface Shown {
  readonly facts: ClaimFacts;
  /** The token in the link. */
  readonly attempt: string;
  readonly form: PageForm;
}

const advisories = {
  first_time_account: 'You have never let an agent act for you at this server.',
  first_time_provider: 'You have never let an agent of this provider act for you.',
} as const;

/** Asks whether an agent may act for the reader. */
export function askingPage({ facts, attempt, form, wrong }: Shown & { wrong?: string }): Page {
  const body = html`<p><b>Go on only if you have started this yourself, with an agent that you use.</b> If somebody has sent you this link, refuse.</p>
${told(facts)}
<h2>Do you agree?</h2>
${problem(wrong)}
<form method="post" action="/agent/identity/claim/complete">${inside(attempt, form)}
<p><label for="code">Has your agent given you a code? Enter it here.</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required></p>
<button>Agree with this code</button></form>
<form method="post" action="/agent/claim/confirm">${inside(attempt, form)}
<p>Does your agent ask you for a code? You get one when you agree.</p>
<button>Agree and show me a code</button></form>
<form method="post" action="/agent/claim/deny">${inside(attempt, form)}
<p>You do not know this agent, or do not want this?</p>
<button>Refuse</button></form>`;
  return { title: 'May this agent act for you?', body, form };
}

/** Shows the code that the person reads to their agent. */
export function codePage({ facts, attempt, form, code }: Shown & { code: string }): Page {
  const body = html`<p>Tell your agent this code. It acts for you as soon as it has handed it in.</p>
<p class="code" aria-label="Code">${code}</p>
<p>Tell it to nobody else. It lives for ten minutes from when your agent has asked.</p>
${told(facts)}
<form method="post" action="/agent/claim/deny">${inside(attempt, form)}
<p>Changed your mind?</p>
<button>Refuse after all</button></form>
<p><a href="/agents">What acts for you</a></p>`;
  return { title: 'Read this code to your agent', body, form };
}

/** The link is meant for another address than the one of whoever has signed in. */
export function wrongAccountPage(email: string, form: PageForm): Page {
  const body = html`<p>You have signed in as <b>${email}</b>, but this agent asks for somebody else.</p>
<p>If you have another address, sign out, open the link again, and sign in with that one. If you did not start this, close the page.</p>
<form method="post" action="/sign-out">${form.field}<button>Sign out</button></form>`;
  return { title: 'Not for this account', body, form };
}

export const claimedPage: Page = {
  title: 'This agent acts for you',
  body: html`<p>It is done: go back to your agent. You can close this page.</p>
<p>Whenever you want it to stop, revoke it among <a href="/agents">what acts for you</a>.</p>`,
};

export const claimedElsewherePage = tellingPage(
  'Claimed already',
  'Somebody acts with this agent already. If that was not you, there is nothing for you to do here.',
);

export const deniedPage = tellingPage(
  'Refused',
  'The agent may not act for you. If you have refused by mistake, let the agent ask again.',
);

/** Where a link leads that is not good any more. */
export const overPages = {
  unknown: tellingPage(
    'No such request',
    'There is no such request, or a newer one has taken its place. Use the newest link of your agent.',
  ),
  expired: tellingPage(
    'Too late',
    'This request is over: it lives for ten minutes. Let your agent ask again.',
  ),
  locked: tellingPage(
    'Too many wrong codes',
    'The code was entered wrong too often, so this request is locked. Let your agent ask again.',
  ),
  revoked: tellingPage('Revoked', 'This agent was revoked, and cannot be claimed any more.'),
} as const;

function told(facts: ClaimFacts): Html {
  const { email, agent, software, provider, network, age, scopes } = facts;
  const rows: readonly (readonly [string, Html])[] = [
    ['You have signed in as', html`${email}`],
    [
      'The agent calls itself',
      agent === '' ? html`nothing` : html`“<bdi>${agent}</bdi>” — anybody can call themselves that`,
    ],
    ...(software === ''
      ? []
      : [['Its software, as it says', html`“<bdi>${software}</bdi>”`] as const]),
    ['Who vouches for it', provider === undefined ? html`nobody` : html`${provider}`],
    ['Asked from the network', html`${network}, ${age}`],
  ];
  return html`<dl>${joined(rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
<h2>What it may do then</h2>
<ul>${joined(scopes.map((scope) => html`<li>${scope}</li>`))}</ul>
${joined(facts.advisories.map((each) => html`<p class="problem">${advisories[each]}</p>`))}`;
}

function inside(attempt: string, form: PageForm): Html {
  return html`${form.field}${hidden('claim_attempt_token', attempt)}`;
}
