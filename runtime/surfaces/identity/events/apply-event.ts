import type { AuditActor } from '#contract/house/audit';
import { eventAgeMs } from '../numbers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { DelegationRecords, Subject } from '../records/delegations.ts';
import type { Place } from '../records/place.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';
import type { RevokeRegistration } from '../registration/revoke-registration.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { foreignSubject } from '../trust/foreign-subject.ts';
import type { FreshLogins } from '../trust/fresh-logins.ts';
import { EventRefused, type SecurityEvent } from './security-event.ts';

const revoked = 'https://schemas.workos.com/events/agent/auth/identity/assertion/revoked';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const caep = 'https://schemas.openid.net/secevent/caep/event-type';

interface Effect {
  /** Whether the person has to agree anew. */
  readonly forgets: boolean;
  /** Whether they have to sign in at the provider anew, after the event. */
  readonly wantsLogin?: boolean;
}

/** What becomes of the access of a subject, by what has happened; all else is ignored. */
const effects: Readonly<Record<string, Effect>> = {
  [revoked]: { forgets: true },
  [`${risc}/account-disabled`]: { forgets: true },
  [`${risc}/account-purged`]: { forgets: true },
  [`${caep}/session-revoked`]: { forgets: false },
  [`${caep}/credential-change`]: { forgets: false, wantsLogin: true },
};

/** The events that this server acts on, as its metadata say it. */
export const eventsSupported: readonly string[] = Object.keys(effects);

export interface ApplyParts {
  readonly delegations: DelegationRecords;
  readonly seen: SeenIdRecords;
  readonly revokeRegistration: RevokeRegistration;
  readonly revocations: Pick<Revocations, 'raise'>;
  readonly logins: Pick<FreshLogins, 'require'>;
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
  const { seen, place, outbox } = parts;
  const { now } = place;
  const { issuer, jti } = event;
  const source = `event ${issuer}`;
  if (await seen.has(source, jti)) return;
  const known = event.events.flatMap((uri) =>
    Object.hasOwn(effects, uri) ? (effects[uri] ?? []) : [],
  );
  const actor = actorOf(event);
  if (known.length > 0) {
    for (const whom of await subjectsOf(event, parts)) await endAccess(whom, known, event, parts);
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

/** Whose access is meant: an address is that of everybody whom this issuer vouches for under it. */
async function subjectsOf(
  { issuer, subject, subjectTenant, email }: SecurityEvent,
  { delegations }: ApplyParts,
): Promise<readonly Subject[]> {
  if (subject !== undefined) return [{ issuer, issuerTenant: subjectTenant, subject }];
  if (email !== undefined) return delegations.subjectsAt(email, issuer);
  const formats = 'sub, nor a sub_id of the format iss_sub, opaque or email';
  throw new EventRefused('invalid_request', `the event is refused: it has no ${formats}`);
}

async function endAccess(
  whom: Subject,
  effects: readonly Effect[],
  event: SecurityEvent,
  { delegations, revokeRegistration, revocations, logins, place }: ApplyParts,
): Promise<void> {
  for (const id of await delegations.registrationsOf(whom)) {
    await revokeRegistration(id, actorOf(event));
  }
  const mark = { kind: 'grant', id: foreignSubject(whom), notBefore: place.now() + 1 } as const;
  await revocations.raise(mark);
  if (effects.some(({ wantsLogin }) => wantsLogin)) await logins.require(whom, event.issuedAt);
  if (effects.some(({ forgets }) => forgets)) await delegations.remove(whom);
}

function actorOf({ issuer }: SecurityEvent): AuditActor {
  return { type: 'system', id: issuer.slice(0, 200) };
}
