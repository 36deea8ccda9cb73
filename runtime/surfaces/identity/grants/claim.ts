import { claimStatus } from '../claim/claiming.ts';
import { type Claims, claimable } from '../claim/claims.ts';
import type { Delivery } from '../claim/delivery.ts';
import type { Paced, Poll } from '../claim/polling.ts';
import type { Place } from '../records/place.ts';
import type { IssueAgentToken } from './agent-token.ts';
import { type Grant, refusal, type TokenAnswer } from './grant.ts';

export interface ClaimGrantParts {
  readonly claims: Claims;
  readonly delivery: Delivery;
  readonly poll: Poll;
  readonly place: Place;
  readonly issue: IssueAgentToken;
}

/** Give an agent its token as soon as a person has claimed it; until then it asks again (RFC 8628 section 3.5). */
export function claimGrant({ claims, delivery, poll, place, issue }: ClaimGrantParts): Grant {
  return async (request): Promise<TokenAnswer> => {
    const { claim_token: token } = request.form;
    if (token === undefined) throw refusal('invalid_request', 'claim_token is missing');
    const claim = await claims.find(token);
    if (!claim) throw over('the claim token is none of this server, or has expired');
    const { registration, attempt } = claim;
    const known = attempt && { state: attempt.state, expiresAt: attempt.expires_at };
    switch (claimStatus(claimable(registration), known, place.now())) {
      case 'unclaimed':
        requireDue(poll.early(registration.id));
        throw refusal('authorization_pending', 'nobody was asked yet');
      case 'pending':
      case 'confirmed': {
        if (attempt) requireDue(await poll.ofAttempt(attempt));
        throw refusal('authorization_pending', 'nobody has claimed it yet');
      }
      case 'denied':
        throw refusal('access_denied', 'the person has refused');
      case 'revoked':
        throw refusal('access_denied', 'the registration was revoked');
      case 'expired':
        throw over('the attempt is over; ask for a new one at the claim endpoint');
      case 'claimed':
        if (!attempt || !delivery.isOpen(attempt, registration)) {
          throw over('it is claimed, and its assertion was given');
        }
        return {
          ...(await issue(registration, request)),
          ...(await delivery.members(attempt, registration)),
        };
    }
  };
}

/** @throws ServiceError `slow_down` where an agent asks too often (RFC 8628 section 3.5) */
function requireDue({ isTooSoon, intervalMs }: Paced): void {
  if (isTooSoon) throw refusal('slow_down', `ask every ${intervalMs / 1000} seconds at most`);
}

function over(message: string) {
  return refusal('expired_token', message);
}
