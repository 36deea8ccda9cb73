import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { RegistrationRecords } from '../records/registrations.ts';

const keptMs = 86_400_000;
const atOnce = 500;

/** Forget registrations that nobody has claimed in time, a day after that. */
export async function forgetUnclaimed(
  records: Pick<RegistrationRecords, 'removeUnclaimed'>,
  events: Pick<IdentityEvents, 'registrationExpired'>,
  { tenant, now, signal }: { tenant: string; now: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const ids = await records.removeUnclaimed(now - keptMs, atOnce);
    for (const id of ids) {
      const actor = { type: 'system', id: 'identity' } as const;
      events.registrationExpired.later({ tenant, actor, subject: id, payload: {} }, () => {});
    }
    if (ids.length < atOnce) return;
  }
}
