import { ServiceError } from '#contract/errors';
import { type AuditEvent, auditCategories, auditOutcomes } from '#contract/house/audit';
import { isSecretName, secretIn } from '#contract/secret-values';

/** An entry may have 65,535 bytes, because tlog-tiles gives its length two of them. */
export const mostBytes = 65_535;
const deepest = 32;

/**
 * The canonical text of an event (RFC 8785), in the parts between which the writer puts what only it
 * knows: `log` after the first, `prev_hash` and `seq` after the second, `ts` and `v` after the third.
 */
export type EventParts = readonly [string, string, string];

const known: ReadonlySet<string> = new Set([
  'action',
  'actor',
  'category',
  'correlation_id',
  'outcome',
  'payload',
  'payload_sha256',
  'subject',
  'summary',
  'tenant',
]);

/**
 * Check an event and render it canonically, in one pass.
 *
 * @throws ServiceError `audit_invalid_event`, the field in its detail
 */
export function renderEvent(event: AuditEvent, reservedBytes: number): EventParts {
  for (const name of Object.keys(event)) {
    if (!known.has(name)) throw refusal(name, 'a field that events do not have');
  }
  const { actor, payload, payload_sha256: sha256 } = event;
  const parts = [
    `"action":${renderAction(event.action)},"actor":${renderActor(actor)},"category":${oneOf(auditCategories, event.category, 'category')},"correlation_id":${textOrNull(event.correlation_id, 'correlation_id')}`,
    `"outcome":${oneOf(auditOutcomes, event.outcome, 'outcome')},"payload":${renderPayload(payload)}${sha256 === undefined ? '' : `,"payload_sha256":${digest(sha256)}`}`,
    `"subject":${textOrNull(event.subject, 'subject')},"summary":${line(event.summary, 'summary')},"tenant":${textOrNull(event.tenant, 'tenant')}`,
  ] as const;
  refuseLarge(parts, reservedBytes);
  return parts;
}

function refuseLarge(parts: EventParts, reservedBytes: number): void {
  // A character takes three bytes at most.
  const most = parts.reduce((sum, part) => sum + 3 * part.length, reservedBytes);
  if (most <= mostBytes) return;
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), reservedBytes);
  if (bytes <= mostBytes) return;
  throw refusal(
    'payload',
    `an entry of ${bytes} bytes, more than ${mostBytes}: keep the payload elsewhere and give payload_sha256`,
  );
}

function renderAction(value: unknown): string {
  if (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,127}$/.test(value)) return `"${value}"`;
  throw refusal('action', 'expected a name such as AGENT_NOTE');
}

function renderActor(value: unknown): string {
  if (!isPlainObject(value)) throw refusal('actor', 'expected an object');
  const { id, registration, type } = value;
  for (const name of Object.keys(value)) {
    if (name === 'id' || name === 'registration' || name === 'type') continue;
    throw refusal(`actor.${name}`, 'a field that actors do not have');
  }
  const head = `{"id":${line(id, 'actor.id')}`;
  const kind = oneOf(['agent', 'user', 'system'], type, 'actor.type');
  if (registration === undefined) return `${head},"type":${kind}}`;
  return `${head},"registration":${line(registration, 'actor.registration')},"type":${kind}}`;
}

function renderPayload(value: unknown): string {
  if (!isPlainObject(value)) throw refusal('payload', 'expected an object');
  if (Object.hasOwn(value, 'clock_skew_ms')) {
    throw refusal('payload.clock_skew_ms', 'a name that the log itself uses');
  }
  return renderObject(value, 'payload', 1);
}

/** RFC 8785 section 3.2.3: members in the order of the UTF-16 units of their names. */
function renderObject(
  value: Readonly<Record<string, unknown>>,
  field: string,
  depth: number,
): string {
  if (depth > deepest) throw refusal(field, `nested more than ${deepest} deep`);
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    const path = `${field}.${name}`;
    const { text: key, namesSecret } = checkText(name, path);
    // Whether there is one may be told: `has_password: true`.
    const tells = namesSecret && member !== null && typeof member !== 'boolean';
    if (tells) throw refusal(path, 'a field for secrets');
    text += `${text === '' ? '' : ','}${key}:${renderValue(member, path, depth)}`;
  }
  return `{${text}}`;
}

function renderValue(value: unknown, field: string, depth: number): string {
  if (typeof value === 'string') return isUuid(value) ? `"${value}"` : checkText(value, field).text;
  if (typeof value === 'number') return renderNumber(value, field);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return renderArray(value, field, depth + 1);
  if (isPlainObject(value)) return renderObject(value, field, depth + 1);
  throw refusal(field, `expected JSON, found ${typeof value}`);
}

function renderArray(value: readonly unknown[], field: string, depth: number): string {
  if (depth > deepest) throw refusal(field, `nested more than ${deepest} deep`);
  return `[${Array.from(value, (member, index) => renderValue(member, `${field}[${index}]`, depth)).join(',')}]`;
}

function renderNumber(value: number, field: string): string {
  if (Number.isSafeInteger(value)) return String(value);
  throw refusal(
    field,
    'expected an integer within 2^53 - 1; money and fractions are decimal strings',
  );
}

interface CheckedText {
  /** As JSON has it. */
  readonly text: string;
  readonly oneLine: boolean;
  readonly namesSecret: boolean;
}

/** Texts that passed: most of what an event says was said by others before. */
const passed = new Map<string, CheckedText>();
const mostRemembered = 1000;
const longestRemembered = 128;

function checkText(value: string, field: string): CheckedText {
  const before = passed.get(value);
  if (before !== undefined) return before;
  if (!value.isWellFormed()) throw refusal(field, 'text with a lone surrogate');
  const secret = secretIn(value);
  if (secret !== undefined) throw refusal(field, `text that looks like ${secret}`);
  const oneLine = !/[\n\r\u2028\u2029]/.test(value);
  const checked = { text: JSON.stringify(value), oneLine, namesSecret: isSecretName(value) };
  if (value.length > longestRemembered) return checked;
  if (passed.size >= mostRemembered) passed.clear();
  passed.set(value, checked);
  return checked;
}

/** Ids of calls and tokens are of this kind: never the same twice, and never a secret. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function line(value: unknown, field: string): string {
  if (typeof value !== 'string') throw refusal(field, 'expected text');
  if (isUuid(value)) return `"${value}"`;
  const { text, oneLine } = checkText(value, field);
  if (!oneLine) throw refusal(field, 'expected one line');
  return text;
}

export function isUuid(value: string): boolean {
  return value.length === 36 && uuid.test(value);
}

function textOrNull(value: unknown, field: string): string {
  return value === null ? 'null' : line(value, field);
}

function digest(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return `"${value}"`;
  throw refusal('payload_sha256', 'expected 64 hexadecimal digits in lower case');
}

function oneOf(known: readonly string[], value: unknown, field: string): string {
  if (typeof value === 'string' && known.includes(value)) return `"${value}"`;
  throw refusal(field, `expected one of ${known.join(', ')}`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value itself is never repeated: it may be the secret. */
function refusal(field: string, what: string): ServiceError {
  const shown = field.isWellFormed() ? field.slice(0, 200) : 'payload';
  return new ServiceError('audit_invalid_event', 400, `audit event, ${shown}: ${what}`, {
    detail: { field: shown },
  });
}
