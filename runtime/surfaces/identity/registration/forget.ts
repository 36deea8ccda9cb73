import type { Outbox } from '../outbox/outbox.ts';
import type { RegistrationRecords } from '../records/registrations.ts';

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
        const note = { action: 'REGISTRATION_EXPIRED', actor, subject: id, payload: {} } as const;
        await outbox.add({ ...note, agent: { to: 'expired' } }, tx);
      }
    });
    if (gone > 0) outbox.wake();
    if (gone < atOnce) return;
  }
}
