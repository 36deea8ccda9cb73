import type { Addresses } from '../addresses.ts';
import { deliveryMs } from '../numbers.ts';
import type { AttemptRecords, AttemptRow } from '../records/attempts.ts';
import type { Place } from '../records/place.ts';
import type { Registration } from '../records/registrations.ts';
import type { UserRecords } from '../records/users.ts';
import { assertionMembers, scopeMembers } from '../registration/answer.ts';
import { type AssertedPerson, mintAssertion } from '../tokens/assertion.ts';
import type { Minting } from '../tokens/issue-token.ts';
import type { RefreshTokens } from '../tokens/refresh-tokens.ts';

export interface DeliveryParts {
  readonly place: Place;
  readonly attempts: AttemptRecords;
  readonly users: UserRecords;
  readonly refreshTokens: RefreshTokens;
  readonly minting: Minting;
  readonly addresses: Addresses;
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Gives the agent of a claimed registration what the claim has brought. */
export function createDelivery(parts: DeliveryParts) {
  const { place, attempts, users, refreshTokens, minting, addresses } = parts;
  const personOf = async (user: string): Promise<AssertedPerson | undefined> => {
    const row = await users.find(user);
    return row && { email: row.email };
  };
  return {
    personOf,
    /**
     * Whether the claim token still gets it: for ten minutes as often as the agent asks, later once,
     * for an agent that was away.
     */
    isOpen({ completed_at, delivered_at }: AttemptRow, { expiresAt }: Registration): boolean {
      const now = place.now();
      if (completed_at === null) return false;
      return now < completed_at + deliveryMs || (delivered_at === null && now < expiresAt);
    },
    /** A new assertion, and the first time a refresh token. */
    async members({ id }: Pick<AttemptRow, 'id'>, registration: Registration) {
      const { user, id: owner, postScopes: scopes, jkt } = registration;
      const refresh = await place.store.transaction(async (tx) => {
        if (!(await attempts.deliver(id, tx))) return undefined;
        const resource = addresses.mcp();
        const bound = jkt === '' ? {} : { jkt };
        const grant = { kind: 'agent', owner, client: owner, scopes, resource, ...bound } as const;
        return refreshTokens.issue(grant, tx);
      });
      const person = user === undefined ? undefined : await personOf(user);
      const assertion = await mintAssertion(minting, registration, person);
      return { ...assertionMembers(assertion, refresh), ...scopeMembers(registration) };
    },
  };
}
