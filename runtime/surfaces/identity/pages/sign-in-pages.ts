import type { Page, PageForm } from '#contract/house/pages';
import { html } from '#contract/html';
import { hidden, problem, tellingPage } from './parts.ts';

interface EmailForm {
  readonly form: PageForm;
  readonly returnTo: string;
  /** What was entered before. */
  readonly email?: string;
  readonly wrong?: string;
  /** Nobody checks whose address it is. */
  readonly isDev: boolean;
}

/** Asks for an address. */
export function emailPage({ form, returnTo, email = '', wrong, isDev }: EmailForm): Page {
  const how = isDev
    ? html`<p>This server runs for development: it believes whatever address you enter.</p>`
    : html`<p>You get an e-mail with a link that signs you in, in this browser.</p>`;
  const body = html`${how}
${problem(wrong)}
<form method="post" action="/sign-in">${form.field}${hidden('return_to', returnTo)}
<p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${email}"></p>
<button>${isDev ? 'Sign in' : 'Send me the link'}</button></form>`;
  return { title: 'Sign in', body, form };
}

/** The link is on its way, whoever the address belongs to. */
export const mailedPage = tellingPage(
  'Look into your mail',
  'A message with a link is on its way to you. Open the link in this browser, within 15 minutes.',
  'Nothing there? Look among the unwanted mail, or go back and check the address.',
);

/** Asks once more, so that programs that open links do not use them up. */
export function linkPage(email: string, link: string, form: PageForm): Page {
  const body = html`<p>You are about to sign in as <b>${email}</b>.</p>
<form method="post" action="/sign-in/link">${form.field}${hidden('link', link)}
<button>Sign in</button></form>`;
  return { title: 'Sign in', body, form };
}

export const otherBrowserPage = tellingPage(
  'Open the link in the other browser',
  'This link works only in the browser in which you asked for it. Copy its address, and open it there.',
  'If you did not ask for a link, close this page: nothing has happened.',
);

export const linkGonePage = tellingPage(
  'This link is no longer good',
  'It works once, within 15 minutes. Go back to the page that you wanted to see, and sign in again.',
);

export const tooManyLinksPage = tellingPage(
  'Too many links',
  'Several links are on their way to this address already. Use the newest one, or try again in a quarter of an hour.',
);

export const nobodySignsInPage = tellingPage(
  'Nobody can sign in here',
  'The operator of this server has not chosen how people sign in (SERVICE_CLAIM_AUTH).',
);

/** Somebody comes back from a provider to which this server sends nobody. */
export const noProviderPage = tellingPage(
  'Nothing to go on with',
  'People sign in here without a provider that sends them back to this page. Go back to the page that you wanted to see, and sign in there.',
);

export const providerAwayPage = tellingPage(
  'Not now',
  'The provider at which people sign in does not answer. Try again in a minute.',
);

/** Why the provider's answer signs nobody in. */
export const refusedPages = {
  cancelled: tellingPage('Not signed in', 'You have not signed in at the provider.'),
  foreign_domain: tellingPage(
    'Not signed in',
    'People sign in here with addresses of their organization alone, and yours is another one.',
  ),
  no_verified_email: tellingPage(
    'Not signed in',
    'The provider does not say that your e-mail address is verified, and agents are claimed with a verified address alone.',
  ),
  failed: tellingPage(
    'Not signed in',
    'The provider has answered something that cannot be used. Go back and try again.',
  ),
  gone: tellingPage(
    'Not signed in',
    'This sign-in did not begin in this browser, is over, or was used already. Go back to the page that you wanted to see, and sign in again.',
  ),
} as const;

export const foreignFormPage = tellingPage(
  'Not taken',
  'This did not come from the page of this server, or the page was open for more than ten minutes. Open it again.',
);

export const signedOutPage = tellingPage('Signed out', 'Nobody is signed in with this browser.');
