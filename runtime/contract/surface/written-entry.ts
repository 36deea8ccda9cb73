import type { House } from '../house/house.ts';

/** How far the clocks of replicas, and of the log, may be apart; in milliseconds. */
const clocksApartMs = 300_000;
/** Entries that one page of the log may give while it is searched. */
const pageSize = 100;

/** What an entry is known by. */
export interface WantedEntry {
  readonly tenant: string;
  readonly action: string;
  readonly subject: string;
  /** Its `correlation_id`. */
  readonly id: string;
  /** When that happened which it tells of; milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Tell whether the log has an entry already, of all that was written since it happened: a job may be
 * cut off between its entry and its end.
 */
export async function isWritten(
  { tenant, action, subject, id, at }: WantedEntry,
  audit: Pick<House['audit'], 'open'>,
): Promise<boolean> {
  const log = await audit.open();
  for (let before: number | undefined; ; ) {
    const { records, next } = await log.list({ tenant, action, subject, before, limit: pageSize });
    if (records.some(({ entry }) => entry.correlation_id === id)) return true;
    if (next === undefined) return false;
    const oldest = await log.entry(next);
    if (!oldest || Date.parse(oldest.entry.ts) < at - clocksApartMs) return false;
    before = next;
  }
}
