import { ServiceError } from '#contract/errors';
import type { Pages } from '#contract/house/pages';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { AuthenticateClient } from '../clients/authenticate-client.ts';
import { consentPage, refusedPage } from '../pages/consent-page.ts';
import type { Person } from '../people/person.ts';
import type { Sessions } from '../people/sessions.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { secretHash } from '../secrets/secret.ts';
import type { Authorization, Waiting } from './authorization.ts';

type Handlers = Pick<
  IdentityHandlers,
  'beginAuthorization' | 'showConsent' | 'decideConsent' | 'pushAuthorization'
>;

export interface AuthorizeParts {
  readonly authorization: Authorization;
  readonly sessions: Pick<Sessions, 'current'>;
  readonly authenticateClient: AuthenticateClient;
  readonly pages: Pages;
  readonly scopes: Pick<Scopes, 'sentence'>;
  readonly tenant: string;
}

const path = '/oauth2/consent';
const gone = refusedPage(
  'Not found',
  'There is no such request, or it is over. Go back to the program and begin again.',
);
const foreign = refusedPage(
  'Not taken',
  'This answer did not come from the page. Open it again and answer there.',
);

/** The pages between a client and a person. */
export function createAuthorizeHandlers(parts: AuthorizeParts): Handlers {
  const { authorization, sessions, pages, scopes, tenant } = parts;
  const told = <Status extends number>(status: Status, page: Parameters<Pages['show']>[0]) => ({
    status,
    ...pages.show(page),
  });
  /** Only this person, for this request: the same form counts for nobody else. */
  const placeOf = (person: Person, key: string) => ({
    path,
    caller: { tenant, subject: `${person.id} ${secretHash(key)}` },
  });

  async function find(key: string): Promise<Waiting | undefined> {
    try {
      return await authorization.waiting(key);
    } catch (error) {
      // Its client is gone, or is no longer what it was.
      if (error instanceof ServiceError && error.status === 400) return undefined;
      throw error;
    }
  }

  return {
    async beginAuthorization({ parameters }) {
      try {
        return elsewhere(await authorization.begin(parameters));
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 400) throw error;
        const text = `The program that sent you here made a mistake: ${error.message}.`;
        return told(400, refusedPage('This cannot be done', text));
      }
    },
    async showConsent({ parameters: { request: key }, context: { http } }) {
      const waiting = await find(key);
      if (!waiting) return told(404, gone);
      const { request, client } = waiting;
      const person = await sessions.current(http);
      if (!person) {
        if (request.isSilent) {
          return backOr404(await authorization.refuse(key, waiting, { error: 'login_required' }));
        }
        const back = encodeURIComponent(`${path}?request=${key}`);
        return elsewhere(`/sign-in?return_to=${back}`);
      }
      if (await authorization.isAllowed(waiting, person)) {
        return backOr404(await authorization.allow(key, waiting, person, request.scopes));
      }
      if (request.isSilent) {
        return backOr404(await authorization.refuse(key, waiting, { error: 'consent_required' }));
      }
      const shown = request.scopes.map((name) => ({ name, sentence: scopes.sentence(name) }));
      const { redirectUri, resource } = request;
      const form = pages.form(placeOf(person, key), http);
      return told(
        200,
        consentPage({ client, redirectUri, resource, scopes: shown, person, key }, form),
      );
    },
    async decideConsent({ body, context: { http } }) {
      const { request: key, token, decision, scope = [] } = body;
      const waiting = await find(key);
      if (!waiting) return told(404, gone);
      const person = await sessions.current(http);
      if (!person || !pages.accepts(placeOf(person, key), token, http)) return told(403, foreign);
      const allowed = waiting.request.scopes.filter((name) => [scope].flat().includes(name));
      return backOr404(
        decision === 'allow' && allowed.length > 0
          ? await authorization.allow(key, waiting, person, allowed)
          : await authorization.deny(key, waiting, person),
      );
    },
    async pushAuthorization({ body, context: { http } }) {
      const client = await parts.authenticateClient(body, http?.headers['authorization']);
      const request_uri = await authorization.push(body, client);
      return {
        status: 201,
        headers: { 'cache-control': 'no-store' },
        body: { request_uri, expires_in: 60 },
      };
    },
  };

  function backOr404(url: string | undefined) {
    return url === undefined ? told(404, gone) : elsewhere(url);
  }
}

/** Code and state are in the address: no page learns it from where it was come from. */
function elsewhere(location: string) {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return { status: 303 as const, headers };
}
