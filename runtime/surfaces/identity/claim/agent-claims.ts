import type { Arrival } from '#contract/arrival';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import type { ClaimBody } from '../../../../generated/surfaces/identity/types.ts';
import type { RequestPace } from '../grants/request-pace.ts';
import { longestWaitMs, mostWaiting, mostWrongCodes, pollIntervalMs } from '../numbers.ts';
import type { ClaimAuth } from '../people/claim-auth.ts';
import type { Place } from '../records/place.ts';
import { registrationMembers } from '../registration/answer.ts';
import { networkOf } from '../registration/quotas.ts';
import { refusedRegistration } from '../registration/register.ts';
import { attemptMembers } from './attempt-members.ts';
import type { ClaimLimits } from './claim-limits.ts';
import { claimStatus, registrationStatus } from './claiming.ts';
import { type Claims, claimable, type OpenClaim } from './claims.ts';
import type { Codes } from './codes.ts';
import type { Delivery } from './delivery.ts';
import type { Paced, Poll } from './polling.ts';
import { completionError, disabledRefusal, overRefusal, unknownClaim } from './refusals.ts';
import { requestedHint } from './requested-hint.ts';

/** Claims a registration with what somebody else vouches for (ID-JAG). */
export type ClaimByAssertion = (
  claim: OpenClaim,
  assertion: string,
  context: CallContext,
) => Promise<JsonObject>;

export interface AgentClaimParts {
  readonly claims: Claims;
  readonly limits: ClaimLimits;
  readonly codes: Codes;
  readonly delivery: Delivery;
  readonly poll: Poll;
  /** How fast one agent may ask for what does not change any more. */
  readonly pace: RequestPace;
  readonly place: Place;
  readonly claimAuth: () => ClaimAuth;
  /** Absent where nobody is trusted to vouch. */
  readonly byAssertion?: ClaimByAssertion | undefined;
}

/** What agents do with their claims. */
export interface AgentClaims {
  /** Ask for an attempt (claim). @throws ServiceError */
  request(body: ClaimBody, context: CallContext): Promise<JsonObject>;
  /** Look what has become of it (claim/view), waiting for news for up to `waitMs`. @throws ServiceError */
  look(claimToken: string, waitMs: number, context: CallContext): Promise<LookAnswer>;
  /** Hand in the code of the page (claim/complete). @throws ServiceError */
  complete(claimToken: string, userCode: string, context: CallContext): Promise<JsonObject>;
}

export interface LookAnswer {
  readonly body: JsonObject;
  /** Seconds after which to ask again; absent where nothing changes any more. */
  readonly retryAfter?: number;
}

/** How long a wait lasts before the store is asked again. */
const stepMs = 500;

/** Make what agents do with their claims. */
export function createAgentClaims(parts: AgentClaimParts): AgentClaims {
  const { claims, limits, codes, delivery, poll, pace, place } = parts;
  let waiting = 0;

  async function request(body: ClaimBody, context: CallContext): Promise<JsonObject> {
    if (parts.claimAuth() === 'none') throw disabledRefusal();
    const token = claimTokenOf(body.claim_token, context.http);
    const claim = token === undefined ? undefined : await claims.find(token);
    if (!claim) throw unknownClaim('invalid_claim_token');
    requireOpen(claim, place.now());
    if (body.type === 'identity_assertion') return byAssertion(claim, body, context);
    if (!['service_auth', 'login_hint', undefined].includes(body.type)) {
      const message = 'type must be service_auth, login_hint or identity_assertion';
      throw refusedRegistration('invalid_request', 400, message);
    }
    const hint = hintFor(claim, body);
    // What an address has agreed to hear of is counted once for each registration.
    if (hint !== (claim.attempt?.hint ?? claim.registration.hint)) await limits.turnTo(hint);
    const attempt = await claims.mint(claim.registration.id, hint);
    const { id } = claim.registration;
    return {
      ...{ registration_id: id, id, type: 'service_auth' },
      registration_type: claim.registration.kind,
      ...attemptMembers(attempt, place.now()),
    };
  }

  function byAssertion(claim: OpenClaim, body: ClaimBody, context: CallContext) {
    const { assertion } = body;
    if (!parts.byAssertion) {
      throw refusedRegistration(
        'issuer_not_enabled',
        400,
        'no issuer of assertions is trusted here',
        {
          error_aliases: ['invalid_issuer'],
        },
      );
    }
    if (typeof assertion !== 'string') {
      throw refusedRegistration('invalid_request', 400, 'assertion is missing');
    }
    if (claim.registration.kind !== 'anonymous') {
      const message = 'only an anonymous registration is claimed with an assertion';
      throw refusedRegistration('invalid_request', 400, message);
    }
    return parts.byAssertion(claim, assertion, context);
  }

  async function look(token: string, waitMs: number, context: CallContext): Promise<LookAnswer> {
    const claim = await claims.find(token);
    if (!claim) throw unknownClaim('invalid_claim_token');
    const first = statusOf(claim, place.now());
    if (first === 'unclaimed') requireDue(poll.early(claim.registration.id));
    if (first !== 'pending' && first !== 'confirmed') {
      if (first !== 'unclaimed') pace.take(`${place.tenant} ${claim.registration.id}`);
      return answer(claim, first);
    }
    if (claim.attempt) requireDue(await poll.ofAttempt(claim.attempt));
    const wait = () => news(token, first, waitMs, context.signal);
    // Who only waits must not take the place of those who want something done.
    const later = await (context.rest && waitMs > 0 ? context.rest(wait) : wait());
    return later ? answer(later, statusOf(later, place.now())) : answer(claim, first);
  }

  /** Wait until the status of a claim is another one; nothing where it stays. */
  async function news(token: string, first: string, waitMs: number, signal: AbortSignal) {
    if (waitMs <= 0 || waiting >= mostWaiting) return undefined;
    waiting += 1;
    try {
      // A wait is measured by a clock that nobody sets.
      const until = performance.now() + Math.min(waitMs, longestWaitMs);
      while (performance.now() < until && !signal.aborted) {
        await pause(Math.min(stepMs, until - performance.now()), signal);
        const claim = await claims.find(token);
        if (claim && statusOf(claim, place.now()) !== first) return claim;
      }
      return undefined;
    } finally {
      waiting -= 1;
    }
  }

  async function answer({ registration, attempt }: OpenClaim, status: string): Promise<LookAnswer> {
    if (status === 'revoked') throw overRefusal('revoked');
    const now = place.now();
    if (status === 'expired' && registration.expiresAt <= now) throw overRefusal('expired');
    const body: JsonObject = {
      ...registrationMembers(registration),
      status,
      ...(attempt && {
        attempt_status:
          attempt.expires_at <= now && status === 'expired' ? 'expired' : attempt.state,
        interval: attempt.interval_ms / 1000,
        expires_in: Math.max(0, Math.floor((attempt.expires_at - now) / 1000)),
      }),
      ...(status === 'unclaimed' && {
        interval: pollIntervalMs / 1000,
        expires_in: Math.max(0, Math.floor((registration.expiresAt - now) / 1000)),
      }),
    };
    if (status === 'pending' || status === 'confirmed') {
      return { body, retryAfter: (attempt?.interval_ms ?? stepMs) / 1000 };
    }
    if (status !== 'claimed' || !attempt || !delivery.isOpen(attempt, registration))
      return { body };
    return { body: { ...body, ...(await delivery.members(attempt, registration)) } };
  }

  async function complete(token: string, userCode: string, context: CallContext) {
    if (parts.claimAuth() === 'none') throw disabledRefusal();
    const claim = await claims.find(token);
    if (!claim) throw unknownClaim('invalid_claim');
    requireOpen(claim, place.now());
    const { registration, attempt } = claim;
    if (!attempt) throw completionError('not_confirmed', mostWrongCodes);
    const isRight = codes.isReadback(attempt.id, userCode);
    const outcome = await claims.act(attempt.id, { kind: 'hand_in', isRight });
    if (outcome.refused) {
      if (outcome.refused === 'wrong_code') await limits.wrongCode(networkOf(context));
      throw completionError(outcome.refused, mostWrongCodes - outcome.attempt.wrong);
    }
    const now = await claims.find(token);
    if (!now?.attempt) throw overRefusal('revoked');
    return {
      ...registrationMembers(registration),
      status: 'claimed',
      ...(await delivery.members(now.attempt, now.registration)),
    };
  }

  return { request, look, complete };
}

/** The token of a claim, as a member or in the header. */
export function claimTokenOf(member: unknown, http: Arrival | undefined): string | undefined {
  if (typeof member === 'string' && member !== '') return member;
  const { authorization } = http?.headers ?? {};
  if (typeof authorization !== 'string') return undefined;
  return /^bearer +(clm_[\w-]{1,128})$/i.exec(authorization)?.[1];
}

/** To whom a new attempt is bound. @throws ServiceError */
function hintFor({ registration }: OpenClaim, body: ClaimBody): string {
  const hint = requestedHint(body);
  if (registration.kind === 'identity_assertion') {
    if (hint === undefined || hint === registration.hint) return registration.hint;
    const message = 'the issuer has vouched for another address';
    throw refusedRegistration('invalid_login_hint', 400, message);
  }
  if (hint !== undefined) return hint;
  if (registration.kind === 'service_auth') return registration.hint;
  throw refusedRegistration('invalid_request', 400, 'email or login_hint is missing');
}

/** @throws ServiceError where the registration is not to be claimed any more */
function requireOpen({ registration }: OpenClaim, now: number): void {
  const status = registrationStatus(claimable(registration), true, now);
  if (status !== 'unclaimed' && status !== 'pending_claim') throw overRefusal(status);
}

function statusOf({ registration, attempt }: OpenClaim, now: number) {
  const known = attempt && { state: attempt.state, expiresAt: attempt.expires_at };
  return claimStatus(claimable(registration), known, now);
}

/** @throws ServiceError 429 `slow_down` where an agent asks too often */
function requireDue({ isTooSoon, intervalMs }: Paced): void {
  if (!isTooSoon) return;
  const interval = intervalMs / 1000;
  const message = `ask every ${interval} seconds at most`;
  const { code, status, detail } = refusedRegistration('slow_down', 429, message, { interval });
  throw new ServiceError(code, status, message, { detail, retryAfterMs: intervalMs });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
