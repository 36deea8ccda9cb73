import type { RegistrationRecords } from '../records/registrations.ts';
import type { Outbox } from './outbox.ts';

const keptMs = 86_400_000;
const atOnce = 500;

/** Forget registrations that nobody has claimed in time, a day after that. */
export async function forgetUnclaimed(
  records: Pick<RegistrationRecords, 'removeUnclaimed'>,
  outbox: Outbox,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const actor = { type: 'system', id: 'identity' } as const;
  while (!signal.aborted) {
    const gone = await records.removeUnclaimed(now - keptMs, atOnce, async (ids, tx) => {
      for (const id of ids) {
        await outbox.add({ action: 'REGISTRATION_EXPIRED', actor, subject: id, payload: {} }, tx);
      }
    });
    if (gone > 0) outbox.wake();
    if (gone < atOnce) return;
  }
}
