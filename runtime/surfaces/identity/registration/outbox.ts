import { isDeepStrictEqual } from 'node:util';
import type { AuditActor } from '#contract/house/audit';
import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { AnyTransaction } from '#contract/house/store';
import type {
  ClaimRequestedPayload,
  IdentityEvents,
  KeyRotatedPayload,
  ProviderEventReceivedPayload,
} from '../../../../generated/surfaces/identity/events.ts';

/** Something that has happened, in the names of the entry that it becomes. */
export type OutboxNote = {
  readonly actor: AuditActor;
  /** Id of the registration or of the key, or the issuer. */
  readonly subject: string;
  readonly outcome?: 'denied';
} & (
  | {
      readonly action: 'CLAIM_REQUESTED' | 'CLAIM_CONFIRMED' | 'CLAIM_DENIED' | 'CLAIM_LOCKED';
      readonly payload: ClaimRequestedPayload;
    }
  | {
      readonly action: 'REGISTRATION_REVOKED' | 'REGISTRATION_EXPIRED';
      readonly payload: Readonly<Record<string, never>>;
    }
  | { readonly action: 'KEY_ROTATED'; readonly payload: KeyRotatedPayload }
  | { readonly action: 'PROVIDER_EVENT_RECEIVED'; readonly payload: ProviderEventReceivedPayload }
);

/** What is to be written down, kept in the store until it is. */
export interface Outbox {
  /** Keep a note in the very transaction that makes it true. */
  add(note: OutboxNote, tx: AnyTransaction): Promise<void>;
  /** Look for what is to be written down: after the transaction. */
  wake(): void;
}

const name = 'identity-notes';
/** How far the clocks of replicas, and of the log, may be apart; in milliseconds. */
const clocksApartMs = 300_000;
/** Entries that one page of the log may give while it is searched. */
const pageSize = 100;

/** Make the outbox of a tenant. */
export function createOutbox(
  jobs: House['jobs'],
  { tenant, now }: { readonly tenant: string; readonly now: () => number },
): Outbox {
  return {
    async add(note, tx) {
      const payload = {
        ...note,
        payload: { ...note.payload },
        actor: { ...note.actor },
        at: now(),
      };
      await jobs.enqueue({ name, tenant, payload }, tx);
    },
    wake: () => jobs.wake(),
  };
}

type Events = Pick<
  IdentityEvents,
  | 'claimRequested'
  | 'claimConfirmed'
  | 'claimDenied'
  | 'claimLocked'
  | 'registrationRevoked'
  | 'registrationExpired'
  | 'keyRotated'
  | 'providerEventReceived'
>;

/** Make the job that writes notes down, each once, also where a run was cut off after its entry. */
export function writeOutbox(
  events: Events,
  audit: Pick<House['audit'], 'open'>,
): (job: Pick<JobRun, 'tenant' | 'payload' | 'attempt'>) => Promise<void> {
  return async ({ tenant, payload: kept, attempt }) => {
    // Written by `createOutbox` alone.
    const { at, ...note } = kept as unknown as OutboxNote & { readonly at: number };
    if (attempt > 1 && (await isWritten(note, { tenant, at }, audit))) return;
    await append(events, tenant, note);
  };
}

async function append(events: Events, tenant: string, note: OutboxNote): Promise<void> {
  const { action, payload, ...rest } = note;
  const facts = { tenant, ...rest };
  switch (action) {
    case 'CLAIM_REQUESTED':
      await events.claimRequested({ ...facts, payload });
      return;
    case 'CLAIM_CONFIRMED':
      await events.claimConfirmed({ ...facts, payload });
      return;
    case 'CLAIM_DENIED':
      await events.claimDenied({ ...facts, payload });
      return;
    case 'CLAIM_LOCKED':
      await events.claimLocked({ ...facts, payload });
      return;
    case 'REGISTRATION_REVOKED':
      await events.registrationRevoked({ ...facts, payload });
      return;
    case 'REGISTRATION_EXPIRED':
      await events.registrationExpired({ ...facts, payload });
      return;
    case 'KEY_ROTATED':
      await events.keyRotated({ ...facts, payload });
      return;
    case 'PROVIDER_EVENT_RECEIVED':
      await events.providerEventReceived({ ...facts, payload });
  }
}

/** Whether the log has it, of all that was written since it happened. */
async function isWritten(
  { action, subject, payload }: OutboxNote,
  { tenant, at }: { readonly tenant: string; readonly at: number },
  audit: Pick<House['audit'], 'open'>,
): Promise<boolean> {
  const log = await audit.open();
  for (let before: number | undefined; ; ) {
    const { records, next } = await log.list({ tenant, action, subject, before, limit: pageSize });
    if (records.some(({ entry }) => isDeepStrictEqual(entry.payload, payload))) return true;
    if (next === undefined) return false;
    const oldest = await log.entry(next);
    if (!oldest || Date.parse(oldest.entry.ts) < at - clocksApartMs) return false;
    before = next;
  }
}
