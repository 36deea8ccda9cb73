import type { Arrival } from '#contract/arrival';
import type { House } from '#contract/house/house';
import type { Page } from '#contract/house/pages';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { mostWrongCodes } from '../numbers.ts';
import {
  askingPage,
  claimedElsewherePage,
  claimedPage,
  codePage,
  deniedPage,
  overPages,
  wrongAccountPage,
} from '../pages/claim-pages.ts';
import { foreignFormPage, nobodySignsInPage } from '../pages/sign-in-pages.ts';
import type { People } from '../people/people.ts';
import type { Person } from '../people/person.ts';
import { signInPath } from '../people/sign-in-path.ts';
import type { AttemptRow } from '../records/attempts.ts';
import type { Registration } from '../records/registrations.ts';
import { stateOf } from './attempt.ts';
import type { ClaimLimits } from './claim-limits.ts';
import { registrationStatus } from './claiming.ts';
import { attemptOf, type Claims, claimable, isMeantFor } from './claims.ts';
import type { Codes } from './codes.ts';
import type { DescribeClaim } from './describe.ts';

export interface ClaimPageParts {
  readonly claims: Claims;
  readonly codes: Codes;
  readonly limits: ClaimLimits;
  readonly people: Pick<People, 'claimAuth' | 'sessions' | 'tenant'>;
  readonly describe: DescribeClaim;
  readonly now: () => number;
}

/** A link that leads to something, and the person who may decide about it. */
interface Open {
  readonly person: Person;
  readonly registration: Registration;
  readonly attempt: AttemptRow;
}

type Told = { readonly status: 403 | 404 | 410; readonly page: Page } | { readonly done: Page };

/** What the page of a claim does. */
export interface ClaimPages {
  /** Enter the code of the agent. */
  enter(form: ClaimForm, http: Arrival | undefined, network: string): Promise<Shown>;
  readonly handlers: Pick<IdentityHandlers, 'showClaim' | 'confirmClaim' | 'denyClaim'>;
  /** Who may decide about a link, for programs of the page. */
  open(token: string, http: Arrival | undefined): Promise<Open | undefined>;
}

export interface ClaimForm {
  readonly token: string;
  readonly claim_attempt_token: string;
  readonly user_code: string;
}

export interface Shown {
  readonly status: 200 | 400 | 403 | 404 | 410 | 429;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Make what the page of a claim does. */
export function createClaimPages(
  { claims, codes, limits, people, describe, now }: ClaimPageParts,
  pages: House['pages'],
): ClaimPages {
  const show = <Status extends number>(status: Status, page: Page) => ({
    status,
    ...pages.show(page),
  });
  const elsewhere = (location: string) => ({
    status: 303 as const,
    headers: { location, 'cache-control': 'no-store' },
  });
  const placeOf = ({ person, attempt }: Open) => ({
    path: '/agent',
    caller: { tenant: people.tenant, subject: `${person.session} ${attempt.id}` },
  });

  /** What a link leads to before anybody says who they are. */
  async function resolve(token: string) {
    const found = await claims.findLink(token);
    if (!found) return { over: { status: 404, page: overPages.unknown } } as const;
    const over = overOf(found.registration, found.attempt, now());
    return over ? { over, found } : { found };
  }

  /** The page that tells why nothing can be decided, or who decides about what. */
  async function enterPage(token: string, http: Arrival | undefined) {
    const { over, found } = await resolve(token);
    if (over && !('done' in over)) return { told: show(over.status, over.page) };
    const person = await people.sessions.current(http);
    if (over) {
      const isOwn = person !== undefined && person.id === found?.registration.user;
      return { told: show(200, isOwn ? over.done : claimedElsewherePage) };
    }
    if (people.claimAuth() === 'none') return { told: show(403, nobodySignsInPage) };
    const here = `/agent/claim?claim_attempt_token=${encodeURIComponent(token)}`;
    if (!person) return { told: elsewhere(signInPath(here)) };
    if (isMeantFor(found.attempt, person)) return { open: { person, ...found } };
    const caller = { tenant: people.tenant, subject: person.id };
    const form = pages.form({ path: '/sign-out', caller }, http);
    return { told: show(403, wrongAccountPage(person.email, form)) };
  }

  async function asking(
    open: Open,
    { token, http }: { readonly token: string; readonly http: Arrival | undefined },
    wrong?: string,
  ): Promise<Page> {
    const form = pages.form(placeOf(open), http);
    const facts = await describe(open.registration, open.person);
    return askingPage({ facts, attempt: token, form, ...(wrong !== undefined && { wrong }) });
  }

  /** What a form decides about, where it is one of ours. */
  async function decide(body: Omit<ClaimForm, 'user_code'>, http: Arrival | undefined) {
    const { told, open } = await enterPage(body.claim_attempt_token, http);
    // A form that was sent when nobody was signed in any more was filled in for nothing.
    if (!open) return { told: told.status === 303 ? show(403, foreignFormPage) : told };
    if (pages.accepts(placeOf(open), body.token, http)) return { open };
    return { told: show(403, foreignFormPage) };
  }

  return {
    async open(token, http) {
      return (await enterPage(token, http)).open;
    },
    async enter(body, http, network) {
      const { told, open } = await decide(body, http);
      if (!open) return told;
      const { attempt, person } = open;
      const known = { id: attempt.id, typedCode: attempt.typed_code };
      const isRight = codes.isTyped(known, body.user_code);
      const outcome = await claims.act(attempt.id, { kind: 'enter', user: person.id, isRight });
      if (!outcome.refused) return show(200, claimedPage);
      if (outcome.refused === 'wrong_code') {
        await limits.wrongCode(network);
        const left = mostWrongCodes - outcome.attempt.wrong;
        if (left <= 0) return show(429, overPages.locked);
        const wrong = `This is not the code of your agent. Look again: you may try ${left} more ${left === 1 ? 'time' : 'times'}.`;
        return show(400, await asking(open, { token: body.claim_attempt_token, http }, wrong));
      }
      return afterwards(body.claim_attempt_token, http);
    },
    handlers: {
      async showClaim({ parameters: { claim_attempt_token: token }, context: { http } }) {
        const { told, open } = await enterPage(token, http);
        if (!open) return told;
        const { attempt, person, registration } = open;
        const { refused, attempt: next } = await claims.act(attempt.id, {
          kind: 'open',
          user: person.id,
        });
        if (refused) return afterwards(token, http);
        if (next.state !== 'confirmed') return show(200, await asking(open, { token, http }));
        const form = pages.form(placeOf(open), http);
        const facts = await describe(registration, person);
        const code = codes.readback(attempt.id);
        return show(200, codePage({ facts, attempt: token, form, code }));
      },
      async confirmClaim({ body, context: { http } }) {
        const { told, open } = await decide(body, http);
        if (!open) return told;
        await claims.act(open.attempt.id, { kind: 'confirm', user: open.person.id });
        const token = encodeURIComponent(body.claim_attempt_token);
        return elsewhere(`/agent/claim?claim_attempt_token=${token}`);
      },
      async denyClaim({ body, context: { http } }) {
        const { told, open } = await decide(body, http);
        if (!open) return told;
        const { refused } = await claims.act(open.attempt.id, {
          kind: 'deny',
          user: open.person.id,
        });
        return refused ? afterwards(body.claim_attempt_token, http) : show(200, deniedPage);
      },
    },
  };

  /** Something else has happened to it meanwhile. */
  async function afterwards(token: string, http: Arrival | undefined) {
    const { told } = await enterPage(token, http);
    return told && told.status !== 303 ? told : show(404, overPages.unknown);
  }
}

/** Why nothing can be decided any more. */
function overOf(registration: Registration, attempt: AttemptRow, now: number): Told | undefined {
  const status = registrationStatus(claimable(registration), true, now);
  if (status === 'revoked') return { status: 410, page: overPages.revoked };
  if (status === 'claimed') return { done: claimedPage };
  if (status === 'expired') return { status: 410, page: overPages.expired };
  switch (stateOf(attemptOf(attempt), now)) {
    case 'initiated':
    case 'opened':
    case 'confirmed':
      return undefined;
    case 'completed':
      return { done: claimedPage };
    case 'denied':
      return { status: 410, page: deniedPage };
    case 'locked':
      return { status: 410, page: overPages.locked };
    case 'expired':
      return { status: 410, page: overPages.expired };
    case 'superseded':
      return { status: 404, page: overPages.unknown };
  }
}
