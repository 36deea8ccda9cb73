import type { AnyTransaction } from '#contract/house/store';
import { domainOf } from '../people/email-address.ts';
import type { AttemptRow } from '../records/attempts.ts';
import type { Registration } from '../records/registrations.ts';
import type { Outbox } from '../registration/outbox.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';
import type { Attempt } from './attempt.ts';

export interface ClaimNoteParts {
  readonly outbox: Outbox;
  /** Key of the hashes that stand for addresses. */
  readonly key: () => Buffer;
}

export type ClaimNotes = ReturnType<typeof createClaimNotes>;

/**
 * Write down what becomes of claims, in the transaction in which it does: an address as a keyed
 * hash and its domain.
 */
export function createClaimNotes({ outbox, key }: ClaimNoteParts) {
  const payloadOf = (attempt: string, hint: string) => ({
    attempt,
    address: keyedHash(key(), 'address', hint).slice(0, 22),
    domain: domainOf(hint),
  });
  return {
    wake: () => outbox.wake(),
    async requested(
      { id }: Pick<Registration, 'id'>,
      attempt: string,
      hint: string,
      tx: AnyTransaction,
    ): Promise<void> {
      const facts = { subject: id, payload: payloadOf(attempt, hint) };
      await outbox.add({ action: 'CLAIM_REQUESTED', actor: { type: 'agent', id }, ...facts }, tx);
    },
    /** A provider has vouched for the person, so that nobody had to agree on a page. */
    async vouched(
      { id, issuer }: Pick<Registration, 'id' | 'issuer'>,
      { id: attempt, hint, user }: Pick<AttemptRow, 'id' | 'hint' | 'user'>,
      tx: AnyTransaction,
    ): Promise<void> {
      const actor = { type: 'agent', id: user ?? id, registration: id } as const;
      const payload = { ...payloadOf(attempt, hint), issuer: issuer.slice(0, 500) };
      await outbox.add({ action: 'CLAIM_CONFIRMED', actor, subject: id, payload }, tx);
    },
    /** An attempt has come into a state. */
    async became(
      { id }: Pick<Registration, 'id'>,
      row: Pick<AttemptRow, 'id' | 'hint'>,
      { state, user }: Pick<Attempt, 'state' | 'user'>,
      tx: AnyTransaction,
    ): Promise<void> {
      const person = { type: 'user', id: user } as const;
      const facts = { subject: id, payload: payloadOf(row.id, row.hint) };
      switch (state) {
        case 'completed':
          return outbox.add({ action: 'CLAIM_CONFIRMED', actor: person, ...facts }, tx);
        case 'denied':
          return outbox.add(
            { action: 'CLAIM_DENIED', actor: person, outcome: 'denied', ...facts },
            tx,
          );
        case 'locked': {
          const actor = { type: 'agent', id } as const;
          return outbox.add({ action: 'CLAIM_LOCKED', actor, outcome: 'denied', ...facts }, tx);
        }
        default:
          return undefined;
      }
    },
  };
}
