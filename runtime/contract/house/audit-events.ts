import type { Caller } from '../caller.ts';
import type { JsonObject, JsonSchema } from '../json.ts';
import type { AuditEvent, AuditLog, AuditReceipt, RecurringAppend } from './audit.ts';

/** What an event of one name says. */
export interface AuditEventDefinition {
  readonly category: AuditEvent['category'];
  readonly description: string;
  /** Schema of its payload, in which every object is closed. */
  readonly payload: JsonSchema;
}

/** Every event that may be written, by its name. */
export type AuditCatalogue = Readonly<Record<string, AuditEventDefinition>>;

/** What writes to the log. */
export interface AuditWriter extends Pick<AuditLog, 'append' | 'appendLater'> {
  /** As in the log; gives nothing for as long as it cannot be prepared yet. */
  recurring?(...args: Parameters<AuditLog['recurring']>): RecurringAppend | undefined;
}

/** The log for those who only read it. */
export type AuditReader = Omit<AuditLog, keyof AuditWriter | 'close'>;

/** The log for a surface: what it writes goes through the functions that are generated for it. */
export interface AuditDoor extends AuditWriter {
  /** @throws StartError when the log cannot be used */
  open(): Promise<AuditReader>;
  /** Whether the server itself records something under this name. */
  isEvent(action: string): boolean;
}

/** What the author of an event says besides its name. */
export interface AuditFacts<Payload> extends Pick<AuditEvent, 'actor' | 'tenant'> {
  readonly payload: Payload;
  readonly subject?: string | undefined;
  /** `ok` when absent. */
  readonly outcome?: AuditEvent['outcome'];
  readonly correlation_id?: string | undefined;
  /** One line, without secrets; what the catalogue says of the event when absent. */
  readonly summary?: string;
}

/** Writes one kind of event. */
export interface AuditAppend<Payload extends object> {
  /** Resolves once the entry is on disk. */
  (facts: AuditFacts<Payload>): Promise<AuditReceipt>;
  /** Write it with others, for an author that does not wait; `lost` hears why it is not written. */
  later(facts: AuditFacts<Payload>, lost: (error: unknown) => void): void;
  /**
   * Give what writes the same facts over and over for an author that does not wait, each time with
   * another call and another value of `integer`.
   */
  recurring<Integer extends IntegerOf<Payload>>(
    facts: Omit<AuditFacts<Omit<Payload, Integer>>, 'correlation_id'>,
    integer: Integer,
    lost: (error: unknown) => void,
  ): RecurringAppend;
}

/** The members of a payload that hold integers. */
type IntegerOf<Payload> = {
  [Name in keyof Payload & string]: NonNullable<Payload[Name]> extends number ? Name : never;
}[keyof Payload & string];

/** Give what makes, of the name of an event, the function that writes it to `log`. */
export function typedAppends(log: AuditWriter, catalogue: AuditCatalogue) {
  return (action: string) => {
    const definition = catalogue[action];
    if (definition === undefined) throw new Error(`there is no audit event ${action}`);
    const append: AuditAppend<object> = (facts) => log.append(eventOf(action, definition, facts));
    append.later = (facts, lost) => log.appendLater(eventOf(action, definition, facts), lost);
    append.recurring = (facts, integer, lost) =>
      recurring(log, eventOf(action, definition, facts), integer, lost);
    return append;
  };
}

/** Writes whole events for as long as the log is not ready to prepare this one. */
function recurring(
  log: AuditWriter,
  event: AuditEvent,
  integer: string,
  lost: (error: unknown) => void,
): RecurringAppend {
  let prepared: RecurringAppend | undefined;
  return (correlation_id, value) => {
    try {
      prepared ??= log.recurring?.(event, integer, lost);
    } catch (error) {
      lost(error);
      return;
    }
    if (prepared !== undefined) return prepared(correlation_id, value);
    const payload = { ...event.payload, [integer]: value };
    log.appendLater({ ...event, correlation_id, payload }, lost);
  };
}

function eventOf<Payload extends object>(
  action: string,
  { category, description }: AuditEventDefinition,
  facts: AuditFacts<Payload>,
): AuditEvent {
  const { actor, tenant, payload, subject, outcome = 'ok', correlation_id, summary } = facts;
  return {
    category,
    action,
    actor,
    tenant,
    subject: subject ?? null,
    outcome,
    correlation_id: correlation_id ?? null,
    summary: summary ?? description,
    // Generated from a schema that allows nothing but JSON, and checked against it at the log.
    payload: payload as unknown as JsonObject,
  };
}

/** Who is written down for what was done, and in whose tenant. */
export type Author = Pick<AuditEvent, 'actor' | 'tenant'>;

/** Who is written down as the author of what a caller does. */
export function authorOf({ tenant, subject, scopes, registration }: Caller): Author {
  const type = scopes === 'all' ? 'user' : 'agent';
  return { tenant, actor: { type, id: subject, ...(registration && { registration }) } };
}
