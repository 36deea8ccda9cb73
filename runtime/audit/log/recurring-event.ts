import type { AuditEvent } from '#contract/house/audit';
import { type EventParts, renderEvent } from './canonical-event.ts';

/** As an id of a call is written; which digits it has changes nothing about its entry but those. */
const anyId = '00000000-0000-4000-8000-000000000000';

/**
 * An event that is written over and over, in which only the call and one integer of the payload are
 * others each time: checked and rendered once, with a gap for each of them.
 */
export class RecurringEvent {
  /** Canonical text up to the id of the call, from there to the integer, and the rest of its part. */
  readonly pieces: readonly [toId: string, toInteger: string, restOfPart: string, lastPart: string];
  readonly #event: AuditEvent;
  readonly #integer: string;

  /** @throws ServiceError `audit_invalid_event`, the field in its detail */
  constructor(event: AuditEvent, integer: string, reservedBytes: number) {
    this.#event = event;
    this.#integer = integer;
    const render = (value: number) => renderEvent(this.with(anyId, value), reservedBytes);
    // The largest one, because entries have a limit.
    render(Number.MAX_SAFE_INTEGER);
    const [first, zero, last] = render(0);
    const [, one] = render(1);
    const gap = firstDifference(zero, one);
    const toId = first.slice(0, -(anyId.length + 1));
    this.pieces = [toId, zero.slice(0, gap), zero.slice(gap + 1), last];
  }

  /** The event of one call. */
  with(correlationId: string, value: number): AuditEvent {
    const payload = { ...this.#event.payload, [this.#integer]: value };
    return { ...this.#event, correlation_id: correlationId, payload };
  }
}

/** The parts of one such event, from its pieces. */
export function fillIn(
  [toId, toInteger, restOfPart, lastPart]: RecurringEvent['pieces'],
  correlationId: string,
  value: string,
): EventParts {
  return [`${toId}${correlationId}"`, `${toInteger}${value}${restOfPart}`, lastPart];
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (a[at] === b[at]) at++;
  return at;
}
