import { eventAgeMs } from '../numbers.ts';
import type { DelegationRecords } from '../records/delegations.ts';
import type { Place } from '../records/place.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';
import type { Outbox } from '../registration/outbox.ts';
import type { RevokeRegistration } from '../registration/revoke-registration.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { foreignSubject } from '../trust/foreign-subject.ts';
import { EventRefused, type SecurityEvent } from './security-event.ts';

const revoked = 'https://schemas.workos.com/events/agent/auth/identity/assertion/revoked';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const caep = 'https://schemas.openid.net/secevent/caep/event-type';

/** What becomes of the access of a subject, by what has happened; all else is ignored. */
const effects: Readonly<Record<string, { readonly forgets: boolean }>> = {
  [revoked]: { forgets: true },
  [`${risc}/account-disabled`]: { forgets: true },
  [`${risc}/account-purged`]: { forgets: true },
  [`${caep}/session-revoked`]: { forgets: false },
  [`${caep}/credential-change`]: { forgets: false },
};

/** The events that this server acts on, as its metadata say it. */
export const eventsSupported: readonly string[] = Object.keys(effects);

export interface ApplyParts {
  readonly delegations: DelegationRecords;
  readonly seen: SeenIdRecords;
  readonly revokeRegistration: RevokeRegistration;
  readonly revocations: Pick<Revocations, 'raise'>;
  readonly place: Place;
  readonly outbox: Outbox;
}

/**
 * Do what follows of an event. The same event again changes nothing: every effect can be repeated,
 * and its id is noted when all of them are durable, so that one that was cut off is done again.
 * Whoever is known under the same person by another provider keeps that access.
 *
 * @throws EventRefused where it does not say whose access ends
 */
export async function applyEvent(event: SecurityEvent, parts: ApplyParts): Promise<void> {
  const { delegations, seen, revokeRegistration, revocations, place, outbox } = parts;
  const { now } = place;
  const { issuer, jti, subject, subjectTenant } = event;
  const source = `event ${issuer}`;
  if (await seen.has(source, jti)) return;
  const known = event.events.flatMap((uri) => (Object.hasOwn(effects, uri) ? [effects[uri]] : []));
  if (subject === undefined && known.length > 0) {
    throw new EventRefused('invalid_request', 'the event is refused: it names no sub or sub_id');
  }
  const actor = { type: 'system', id: issuer.slice(0, 200) } as const;
  if (subject !== undefined && known.length > 0) {
    const whom = { issuer, issuerTenant: subjectTenant, subject };
    for (const id of await delegations.registrationsOf(whom)) await revokeRegistration(id, actor);
    const mark = { kind: 'grant', id: foreignSubject(whom), notBefore: now() } as const;
    await revocations.raise(mark);
    if (known.some((effect) => effect?.forgets)) await delegations.remove(whom);
  }
  const uris = event.events.join(' ').slice(0, 1000);
  const note = {
    action: 'PROVIDER_EVENT_RECEIVED',
    actor,
    subject: issuer.slice(0, 200),
    payload: { issuer: issuer.slice(0, 500), events: uris, jti },
  } as const;
  await place.store.transaction(async (tx) => {
    if (await seen.use(source, jti, now() + eventAgeMs, 1, tx)) await outbox.add(note, tx);
  });
  outbox.wake();
}
