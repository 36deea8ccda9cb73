import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import { domainOf } from '../people/email-address.ts';
import type { AttemptRow } from '../records/attempts.ts';
import type { Registration } from '../records/registrations.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';
import type { Attempt } from './attempt.ts';

export interface ClaimNoteParts {
  readonly events: Pick<
    IdentityEvents,
    'claimRequested' | 'claimConfirmed' | 'claimDenied' | 'claimLocked'
  >;
  readonly tenant: string;
  /** Key of the hashes that stand for addresses. */
  readonly key: () => Buffer;
  /** Tells the person that an agent acts for them from now on. */
  readonly tell: (registration: Registration, hint: string) => Promise<void>;
}

export type ClaimNotes = ReturnType<typeof createClaimNotes>;

/** Write down what becomes of claims: an address as a keyed hash and its domain. */
export function createClaimNotes({ events, tenant, key, tell }: ClaimNoteParts) {
  const payloadOf = (attempt: string, hint: string) => ({
    attempt,
    address: keyedHash(key(), 'address', hint).slice(0, 22),
    domain: domainOf(hint),
  });
  return {
    async requested({ id }: Registration, attempt: string, hint: string): Promise<void> {
      const actor = { type: 'agent', id } as const;
      await events.claimRequested({
        ...{ tenant, actor, subject: id, payload: payloadOf(attempt, hint) },
      });
    },
    /** An attempt has come into a state. */
    async became(registration: Registration, row: AttemptRow, { state, user }: Attempt) {
      const { id } = registration;
      const person = { type: 'user', id: user } as const;
      const payload = payloadOf(row.id, row.hint);
      const facts = { tenant, subject: id, payload };
      switch (state) {
        case 'completed':
          await events.claimConfirmed({ ...facts, actor: person });
          return tell(registration, row.hint);
        case 'denied':
          await events.claimDenied({ ...facts, actor: person, outcome: 'denied' });
          return undefined;
        case 'locked': {
          const actor = { type: 'agent', id } as const;
          await events.claimLocked({ ...facts, actor, outcome: 'denied' });
          return undefined;
        }
        default:
          return undefined;
      }
    },
  };
}
