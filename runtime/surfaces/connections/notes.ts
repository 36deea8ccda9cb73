import { randomUUID } from 'node:crypto';
import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { AnyTransaction } from '#contract/house/store';
import { isWritten } from '#contract/surface/written-entry';
import type { ConnectionsEvents } from '../../../generated/surfaces/connections/events.ts';
import type { ConnectionRow } from '../../../generated/surfaces/connections/tables.ts';

/** What has become of a connection. */
type Note = Pick<ConnectionRow, 'subject' | 'provider' | 'way'> &
  (
    | { readonly kind: 'made' }
    | { readonly kind: 'broken'; readonly during: 'refresh' | 'call' }
    | { readonly kind: 'unrenewed' }
    // Former versions have left notes without a kind.
    | { readonly kind?: 'revoked'; readonly by: 'person' | 'operator' }
  );

/** A note as it is kept; those of former versions have neither. */
type KeptNote = Note & {
  /** UUID by which its entry is known (`correlation_id`). */
  readonly id?: string;
  /** When it happened; milliseconds since the epoch. */
  readonly at?: number;
};

/** Leave it to a job to write it down: with the change that is made in `tx`, or not at all. */
export async function toNote(
  { jobs, now }: Pick<House, 'jobs' | 'now'>,
  { tenant, ...note }: Note & { readonly tenant: string },
  tx: AnyTransaction,
): Promise<void> {
  const payload = { ...note, id: randomUUID(), at: now() };
  await jobs.enqueue({ name: 'connections-note', tenant, payload }, tx);
}

const actions = {
  made: 'CONNECTION_MADE',
  broken: 'CONNECTION_BROKEN',
  unrenewed: 'CONNECTION_REFRESH_FAILED',
  revoked: 'CONNECTION_REVOKED',
} as const;

/**
 * Make the job that writes down what has become of connections, each once, also where a run was cut
 * off after its entry.
 */
export function writeNotes(
  events: ConnectionsEvents,
  audit: Pick<House['audit'], 'open'>,
): (job: Pick<JobRun, 'tenant' | 'payload' | 'attempt'>) => Promise<void> {
  return async ({ tenant, payload: kept, attempt }) => {
    // Written by `toNote` alone.
    const note = kept as unknown as KeptNote;
    const { subject, id, at, kind = 'revoked' } = note;
    if (attempt > 1 && id !== undefined && at !== undefined) {
      const wanted = { tenant, action: actions[kind], subject, id, at };
      if (await isWritten(wanted, audit)) return;
    }
    const facts = { tenant, subject, ...(id !== undefined && { correlation_id: id }) };
    await append(events, note, facts);
  };
}

/** Write the entry of a note. */
async function append(
  events: ConnectionsEvents,
  note: Note,
  facts: { readonly tenant: string; readonly subject: string; readonly correlation_id?: string },
): Promise<void> {
  const { subject, provider, way } = note;
  const system = { type: 'system', id: 'connections' } as const;
  switch (note.kind) {
    case 'made': {
      const actor = { type: 'user', id: subject } as const;
      await events.connectionMade({ ...facts, actor, payload: { provider, way } });
      return;
    }
    case 'broken': {
      const payload = { provider, way, during: note.during };
      await events.connectionBroken({ ...facts, actor: system, outcome: 'denied', payload });
      return;
    }
    case 'unrenewed': {
      const failed = { ...facts, actor: system, outcome: 'failed' } as const;
      await events.connectionRefreshFailed({ ...failed, payload: { provider, way } });
      return;
    }
    default: {
      const { by } = note;
      const actor = { type: 'user', id: by === 'operator' ? by : subject } as const;
      await events.connectionRevoked({ ...facts, actor, payload: { provider, way, by } });
    }
  }
}
