import type { Arrival } from '#contract/arrival';
import type { House } from '#contract/house/house';
import type { Page } from '#contract/house/pages';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import {
  emailPage,
  foreignFormPage,
  linkGonePage,
  linkPage,
  mailedPage,
  nobodySignsInPage,
  noProviderPage,
  otherBrowserPage,
  providerAwayPage,
  refusedPages,
  signedOutPage,
  tooManyLinksPage,
} from '../pages/sign-in-pages.ts';
import { emailAddress } from './email-address.ts';
import type { People } from './people.ts';
import { returnPath } from './return-path.ts';
import type { SignedIn } from './sign-ins.ts';

type Names =
  | 'showSignIn'
  | 'beginSignIn'
  | 'showSignInLink'
  | 'useSignInLink'
  | 'finishSignIn'
  | 'signOut';

/** The pages on which people sign in and out. */
export function createPeopleHandlers(
  { claimAuth, sessions, signIns, tenant }: People,
  { pages, log }: Pick<House, 'pages' | 'log'>,
): Pick<IdentityHandlers, Names> {
  /** What the forms of these pages belong to; whoever signs in is nobody yet. */
  const place = { path: '/sign-in', caller: { tenant, subject: 'sign-in' } };
  const told = <Status extends number>(status: Status, page: Page) => ({
    status,
    ...pages.show(page),
  });
  const led = ({ location, cookies }: SignedIn) => ({
    status: 303 as const,
    headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store' },
  });
  const asking = (
    returnTo: string,
    http: Arrival | undefined,
    more: { email?: string; wrong?: string } = {},
  ) =>
    emailPage({ form: pages.form(place, http), returnTo, isDev: claimAuth() === 'dev', ...more });

  return {
    async showSignIn({ parameters, context: { http } }) {
      const returnTo = returnPath(parameters.return_to);
      if (await sessions.current(http)) return led({ location: returnTo, cookies: [] });
      switch (claimAuth()) {
        case 'none':
          return told(403, nobodySignsInPage);
        case 'dev':
        case 'email':
          return told(200, asking(returnTo, http));
        case 'oidc':
          try {
            return led(await signIns.goToProvider(returnTo));
          } catch (error) {
            log.warn({ err: error }, 'the provider at which people sign in cannot be used');
            return told(503, providerAwayPage);
          }
      }
    },
    async beginSignIn({ body, context: { http } }) {
      const way = claimAuth();
      if (way !== 'dev' && way !== 'email') return told(403, nobodySignsInPage);
      if (!pages.accepts(place, body.token, http)) return told(403, foreignFormPage);
      const returnTo = returnPath(body.return_to);
      const email = emailAddress(body.email);
      if (email === undefined) {
        const wrong = 'This is no e-mail address: it looks like ada@example.com.';
        return told(400, asking(returnTo, http, { email: body.email, wrong }));
      }
      if (!signIns.takes(email)) {
        const wrong = 'People sign in here with addresses of their organization alone.';
        return told(400, asking(returnTo, http, { email: body.email, wrong }));
      }
      if (way === 'dev') return led(await signIns.believe(email, returnTo, http));
      const cookie = await signIns.sendLink(email, returnTo);
      if (cookie === undefined) return told(429, tooManyLinksPage);
      const { headers, body: text } = pages.show(mailedPage);
      return { status: 200, headers: { ...headers, 'set-cookie': cookie }, body: text };
    },
    async showSignInLink({ parameters: { link }, context: { http } }) {
      const found = await signIns.lookAtLink(link, http);
      if (found === 'gone') return told(410, linkGonePage);
      if (found === 'other_browser') return told(403, otherBrowserPage);
      return told(200, linkPage(found.email, link, pages.form(place, http)));
    },
    async useSignInLink({ body: { token, link }, context: { http } }) {
      if (!pages.accepts(place, token, http)) return told(403, foreignFormPage);
      const signedIn = await signIns.useLink(link, http);
      return signedIn ? led(signedIn) : told(410, linkGonePage);
    },
    async finishSignIn({ parameters: { state = '' }, context: { http } }) {
      const way = claimAuth();
      if (way !== 'oidc') return told(403, way === 'none' ? nobodySignsInPage : noProviderPage);
      try {
        const outcome = await signIns.comeFromProvider(state, http);
        if (outcome === 'gone') return told(410, refusedPages.gone);
        return typeof outcome === 'string' ? told(403, refusedPages[outcome]) : led(outcome);
      } catch (error) {
        log.warn({ err: error }, 'the answer of the provider at which people sign in is not good');
        return told(403, refusedPages.failed);
      }
    },
    async signOut({ body: { token }, context: { http } }) {
      const person = await sessions.current(http);
      const owner = { path: '/sign-out', caller: { tenant, subject: person?.id ?? '' } };
      if (!person || !pages.accepts(owner, token, http)) return told(403, foreignFormPage);
      const { headers, body } = pages.show(signedOutPage);
      const cookie = await sessions.end(http);
      return { status: 200, headers: { ...headers, 'set-cookie': cookie }, body };
    },
  };
}
