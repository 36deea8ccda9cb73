import { randomUUID } from 'node:crypto';
import type { House } from '#contract/house/house';
import type { AnyTransaction } from '#contract/house/store';
import { announceNotes } from './announce.ts';
import type { OutboxNote } from './note.ts';

/** What is to be written down, kept in the store until it is. */
export interface Outbox {
  /** Keep a note, and tell it on the event bus, in the very transaction that makes it true. */
  add(note: OutboxNote, tx: AnyTransaction): Promise<void>;
  /** Look for what is to be written down: after the transaction. */
  wake(): void;
}

/** A note as it is kept. */
export type KeptNote = OutboxNote & {
  /** UUID by which its entry is known (`correlation_id`). */
  readonly id: string;
  /** When it happened; milliseconds since the epoch. */
  readonly at: number;
};

export const noteJob = 'identity-notes';

/** Make the outbox of a tenant. */
export function createOutbox(
  { jobs, announcements }: Pick<House, 'jobs' | 'announcements'>,
  { tenant, now }: { readonly tenant: string; readonly now: () => number },
): Outbox {
  const announce = announcements && announceNotes(announcements, tenant);
  return {
    async add({ agent, ...note }, tx) {
      const kept = { payload: { ...note.payload }, actor: { ...note.actor } };
      const payload = { ...note, ...kept, id: randomUUID(), at: now() };
      await jobs.enqueue({ name: noteJob, tenant, payload }, tx);
      await announce?.({ ...note, ...(agent && { agent }) } as OutboxNote, tx);
    },
    wake: () => jobs.wake(),
  };
}
