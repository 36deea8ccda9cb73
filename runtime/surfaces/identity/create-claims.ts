import { type AgentClaims, createAgentClaims } from './claim/agent-claims.ts';
import { claimByAssertion } from './claim/by-assertion.ts';
import { type ClaimLimits, createClaimLimits } from './claim/claim-limits.ts';
import { type ClaimParts, Claims, type TellClaimed } from './claim/claims.ts';
import { type Codes, createCodes } from './claim/codes.ts';
import { createDelivery, type Delivery } from './claim/delivery.ts';
import { createDescribe, type DescribeClaim } from './claim/describe.ts';
import { createPoll, type Poll } from './claim/polling.ts';
import type { Identity } from './create-identity.ts';
import { createAttemptRecords } from './records/attempts.ts';
import { createDelegationRecords } from './records/delegations.ts';
import { createRevocationRecords } from './records/revocations.ts';
import type { VouchingParts } from './trust/vouched.ts';

/** What serves claims: the same for agents, for people and for the token endpoint. */
export interface ClaimRoom {
  readonly claims: Claims;
  readonly codes: Codes;
  readonly limits: ClaimLimits;
  readonly delivery: Delivery;
  readonly poll: Poll;
  readonly describe: DescribeClaim;
  readonly agents: AgentClaims;
}

export interface ClaimRoomNeeds {
  /** What an issuer is called in the list of those that are trusted. */
  readonly issuerName: (issuer: string) => string | undefined;
  /** Absent where nobody is trusted to vouch for people. */
  readonly vouching: VouchingParts | undefined;
}

/** Put the claim ceremony together. */
export function createClaimRoom(
  identity: Identity,
  { issuerName, vouching }: ClaimRoomNeeds,
): ClaimRoom {
  const { place, registrations, people, keys, quotas, addresses, scopes, config } = identity;
  const { now } = place;
  const attempts = createAttemptRecords(place);
  const delegations = createDelegationRecords(place);
  const codes = createCodes(config.userCodeStyle, () => keys('identity codes'));
  const parts: ClaimParts = {
    ...{ place, registrations, attempts, delegations, codes, addresses },
    revocationRecords: createRevocationRecords(place),
    revocations: identity.revocations,
    notes: identity.claimNotes,
    tell: tellClaimed(identity),
  };
  const claims = new Claims(parts);
  const limits = createClaimLimits(quotas, () => keys('identity log'));
  const delivery = createDelivery({ ...identity, attempts, users: people.users });
  const poll = createPoll(place, attempts, identity.earlyPolls);
  const describe = createDescribe({ registrations, delegations, scopes, issuerName, now });
  const { claimAuth } = people;
  const vouched = vouching && { ...parts, ...vouching, claims, limits, delivery };
  const agents = createAgentClaims({
    ...{ claims, limits, codes, delivery, poll, place, claimAuth, pace: identity.pace },
    byAssertion: vouched && claimByAssertion(vouched),
  });
  return { claims, codes, limits, delivery, poll, describe, agents };
}

/** Tell people by mail that an agent acts for them, in case it was not them. */
function tellClaimed({ people, addresses, scopes, onLoss }: Identity): TellClaimed {
  return {
    async prepare({ clientName, postScopes }, to) {
      if (!people.tellsClaims) return undefined;
      try {
        return await people.mail.prepare({
          ...{ kind: 'claimed', to, server: addresses.base(), agent: clientName },
          scopes: postScopes.map((scope) => scopes.sentence(scope)),
          page: addresses.url('/agents'),
        });
      } catch (error) {
        // The claim holds all the same.
        onLoss(error);
        return undefined;
      }
    },
    send: (letter, tx) => people.mail.send(letter, tx),
  };
}
