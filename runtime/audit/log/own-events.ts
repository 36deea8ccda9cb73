import type { AuditEvent } from '#contract/house/audit';
import type { LogIdentity } from '../keys/log-identity.ts';

/** The head of an older log that a new one takes over from. */
export interface Predecessor {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  /** The newest checkpoint of it that an anchor kept. */
  readonly anchored: string | null;
}

/** What the log writes about itself; the payloads are those of specs/events/audit.yaml. */
function ownEvent({
  origin,
}: Pick<LogIdentity, 'origin'>): Omit<AuditEvent, 'action' | 'summary' | 'payload'> {
  return {
    category: 'system',
    actor: { type: 'system', id: 'audit' },
    tenant: null,
    subject: origin,
    outcome: 'ok',
    correlation_id: null,
  };
}

/** The first entry of a log, which names its first key. */
export function openingEvent(identity: LogIdentity, predecessor?: Predecessor): AuditEvent {
  return {
    ...ownEvent(identity),
    action: 'AUDIT_LOG_OPENED',
    summary: predecessor === undefined ? 'a new log' : `a log that continues ${predecessor.origin}`,
    payload: {
      vkey: identity.vkey,
      ...(predecessor && { predecessor: namedHead(predecessor) }),
    },
  };
}

/** The entry from which on `nextKey` signs. */
export function rotationEvent(identity: LogIdentity, nextKey: string): AuditEvent {
  return {
    ...ownEvent(identity),
    action: 'AUDIT_KEY_ROTATED',
    summary: 'a new key signs from here on',
    payload: { vkey: nextKey, previous_vkey: identity.vkey },
  };
}

/** The entry with which the time of the entries goes back: the clock had been ahead. */
export function clockEvent(
  origin: string,
  { at, lastTime }: { readonly at: number; readonly lastTime: number },
): AuditEvent {
  return {
    ...ownEvent({ origin }),
    action: 'AUDIT_CLOCK_CORRECTED',
    summary: 'the clock had been ahead when the entries before were written',
    payload: { previous_ts: new Date(lastTime).toISOString(), ahead_ms: lastTime - at },
  };
}

function namedHead({ origin, size, root, anchored }: Predecessor) {
  return { origin, size, root, ...(anchored !== null && { anchored }) };
}
