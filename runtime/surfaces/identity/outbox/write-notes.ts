import type { AuditFacts } from '#contract/house/audit-events';
import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import { isWritten } from '#contract/surface/written-entry';
import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { NotePayloads } from './note.ts';
import type { KeptNote } from './outbox.ts';

/** What writes the entry of each action. */
const appends: {
  readonly [Action in keyof NotePayloads]: (
    events: IdentityEvents,
  ) => (facts: AuditFacts<NotePayloads[Action]>) => Promise<unknown>;
} = {
  REGISTRATION_CREATED: (events) => events.registrationCreated,
  REGISTRATION_EXPIRED: (events) => events.registrationExpired,
  REGISTRATION_REVOKED: (events) => events.registrationRevoked,
  CLAIM_REQUESTED: (events) => events.claimRequested,
  CLAIM_CONFIRMED: (events) => events.claimConfirmed,
  CLAIM_DENIED: (events) => events.claimDenied,
  CLAIM_LOCKED: (events) => events.claimLocked,
  CLIENT_REGISTERED: (events) => events.clientRegistered,
  CONSENT_GIVEN: (events) => events.consentGiven,
  CONSENT_REFUSED: (events) => events.consentRefused,
  CONSENT_REVOKED: (events) => events.consentRevoked,
  SCOPES_WIDENED: (events) => events.scopesWidened,
  TOKEN_ISSUED: (events) => events.tokenIssued,
  TOKEN_REVOKED: (events) => events.tokenRevoked,
  REFRESH_REUSE_DETECTED: (events) => events.refreshReuseDetected,
  KEY_ROTATED: (events) => events.keyRotated,
  PROVIDER_EVENT_RECEIVED: (events) => events.providerEventReceived,
  TENANT_REVOKED: (events) => events.tenantRevoked,
};

/** Make the job that writes notes down, each once, also where a run was cut off after its entry. */
export function writeNotes(
  events: IdentityEvents,
  audit: Pick<House['audit'], 'open'>,
): (job: Pick<JobRun, 'tenant' | 'payload' | 'attempt'>) => Promise<void> {
  return async ({ tenant, payload: kept, attempt }) => {
    // Written by `createOutbox` alone.
    const note = kept as unknown as KeptNote;
    if (attempt > 1 && (await isWritten({ ...note, tenant }, audit))) return;
    const { action, payload, actor, subject, outcome, id } = note;
    const facts = { tenant, actor, subject, correlation_id: id, ...(outcome && { outcome }) };
    // The payload of a note is that of its action.
    const append = appends[action](events) as (facts: AuditFacts<object>) => Promise<unknown>;
    await append({ ...facts, payload });
  };
}
