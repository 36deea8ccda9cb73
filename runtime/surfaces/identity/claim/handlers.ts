import type { House } from '#contract/house/house';
import type { JsonObject } from '#contract/json';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { claimedPage } from '../pages/claim-pages.ts';
import { networkOf } from '../registration/quotas.ts';
import { refusedRegistration } from '../registration/register.ts';
import { type AgentClaims, claimTokenOf } from './agent-claims.ts';
import type { Codes } from './codes.ts';
import type { DescribeClaim } from './describe.ts';
import type { ClaimPages } from './page-handlers.ts';
import { unknownClaim } from './refusals.ts';

export interface ClaimHandlerParts {
  readonly agents: AgentClaims;
  readonly pages: ClaimPages;
  readonly codes: Codes;
  readonly describe: DescribeClaim;
}

type Names =
  | 'requestClaim'
  | 'viewClaim'
  | 'completeClaim'
  | 'showClaim'
  | 'confirmClaim'
  | 'denyClaim';

const secret = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** The routes of the claim ceremony, for agents and for people. */
export function createClaimHandlers(
  parts: ClaimHandlerParts,
  { pages: house }: Pick<House, 'pages'>,
): Pick<IdentityHandlers, Names> {
  const { agents, pages } = parts;
  return {
    ...pages.handlers,
    async requestClaim({ body, context }) {
      return { status: 200, headers: secret, body: await agents.request(body, context) };
    },
    async viewClaim({ parameters, accept, context }) {
      const { claim_attempt_token: link, claim_token: member, wait = 0 } = parameters;
      if (link !== undefined) {
        const isReader = accept.includes('text/html');
        const location = `/agent/claim?claim_attempt_token=${encodeURIComponent(link)}`;
        if (isReader) return { status: 303, headers: { ...secret, location } };
        return {
          status: 200,
          headers: secret,
          body: await viewOfPerson(link, parts, context.http),
        };
      }
      const token = claimTokenOf(member, context.http);
      if (token === undefined) throw unknownClaim('invalid_claim_token');
      const { body, retryAfter } = await agents.look(token, wait * 1000, context);
      const later =
        retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) };
      return { status: 200, headers: { ...secret, ...later }, body };
    },
    async completeClaim({ body, context }) {
      const { claim_attempt_token: link, token = '', user_code } = body;
      if (link !== undefined) {
        const form = { claim_attempt_token: link, token, user_code };
        const {
          status,
          headers,
          body: text,
        } = await pages.enter(form, context.http, networkOf(context));
        if (status !== 200) return { status, headers, body: text };
        const content = {
          'application/json': () => ({ status: 'claimed' }),
          'text/html; charset=utf-8': () => text,
        };
        return { status, headers, content };
      }
      const claimToken = claimTokenOf(body.claim_token, context.http);
      if (claimToken === undefined) throw unknownClaim('invalid_claim');
      const done = await agents.complete(claimToken, user_code, context);
      const text = () => house.show(claimedPage).body;
      return {
        status: 200,
        headers: secret,
        content: { 'application/json': () => done, 'text/html; charset=utf-8': text },
      };
    },
  };
}

/** What the page shows, for programs that have the session of a person. */
async function viewOfPerson(
  link: string,
  { pages, codes, describe }: ClaimHandlerParts,
  http: Parameters<ClaimPages['open']>[1],
): Promise<JsonObject> {
  const open = await pages.open(link, http);
  if (!open) {
    const message = 'sign in as the person for whom the link is; it may be over as well';
    throw refusedRegistration('login_required', 401, message);
  }
  const { attempt, registration, person } = open;
  const facts = await describe(registration, person);
  return {
    id: registration.id,
    status: attempt.state,
    user_email: person.email,
    client: { name: facts.agent, software: facts.software, network: facts.network },
    scopes: registration.postScopes,
    advisories: facts.advisories,
    ...(attempt.state === 'confirmed' && { user_code: codes.readback(attempt.id) }),
  };
}
