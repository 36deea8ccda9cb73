import { type AuditEvent, auditCategories, auditOutcomes } from '#contract/audit';
import { ServiceError } from '#contract/errors';
import { isSecretName, secretIn } from './secret-values.ts';

/** An entry may have 65,535 bytes, because tlog-tiles gives its length two of them. */
export const mostBytes = 65_535;
const deepest = 32;

/**
 * The canonical text of an event (RFC 8785), in the parts between which the writer puts what only it
 * knows: `log` after the first, `prev_hash` and `seq` after the second, `ts` and `v` after the third.
 */
export type EventParts = readonly [string, string, string];

type Member = readonly [name: string, render: (value: unknown, field: string) => string];

const first: readonly Member[] = [
  ['action', renderAction],
  ['actor', renderActor],
  ['category', (value, field) => oneOf(auditCategories, value, field)],
  ['correlation_id', textOrNull],
];
const second: readonly Member[] = [
  ['outcome', (value, field) => oneOf(auditOutcomes, value, field)],
  ['payload', renderPayload],
  ['payload_sha256', digest],
];
const third: readonly Member[] = [
  ['subject', textOrNull],
  ['summary', line],
  ['tenant', textOrNull],
];
const known = new Set([...first, ...second, ...third].map(([name]) => name));

/**
 * Check an event and render it canonically, in one pass.
 *
 * @throws ServiceError `audit_invalid_event`, the field in its detail
 */
export function renderEvent(event: AuditEvent, reservedBytes: number): EventParts {
  const members: Record<string, unknown> = { ...event };
  for (const name of Object.keys(members)) {
    if (!known.has(name)) throw refusal(name, 'a field that events do not have');
  }
  const parts = [render(members, first), render(members, second), render(members, third)] as const;
  const bytes = reservedBytes + parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (bytes <= mostBytes) return parts;
  throw refusal(
    'payload',
    `an entry of ${bytes} bytes, more than ${mostBytes}: keep the payload elsewhere and give payload_sha256`,
  );
}

function render(members: Readonly<Record<string, unknown>>, wanted: readonly Member[]): string {
  let text = '';
  for (const [name, renderMember] of wanted) {
    const value = members[name];
    if (value === undefined && name === 'payload_sha256') continue;
    text += `${text === '' ? '' : ','}"${name}":${renderMember(value, name)}`;
  }
  return text;
}

function renderAction(value: unknown, field: string): string {
  if (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,127}$/.test(value)) return `"${value}"`;
  throw refusal(field, 'expected a name such as AGENT_NOTE');
}

function renderActor(value: unknown, field: string): string {
  if (!isPlainObject(value)) throw refusal(field, 'expected an object');
  const { id, registration, type, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw refusal(`${field}.${unknown}`, 'a field that actors do not have');
  const head = `{"id":${line(id, `${field}.id`)}`;
  const kind = oneOf(['agent', 'user', 'system'], type, `${field}.type`);
  if (registration === undefined) return `${head},"type":${kind}}`;
  return `${head},"registration":${line(registration, `${field}.registration`)},"type":${kind}}`;
}

function renderPayload(value: unknown, field: string): string {
  if (!isPlainObject(value)) throw refusal(field, 'expected an object');
  if (Object.hasOwn(value, 'clock_skew_ms')) {
    throw refusal(`${field}.clock_skew_ms`, 'a name that the log itself uses');
  }
  return renderObject(value, field, 1);
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
    if (isSecretName(name) && member !== null) throw refusal(path, 'a field for secrets');
    text += `${text === '' ? '' : ','}${renderText(name, path)}:${renderValue(member, path, depth)}`;
  }
  return `{${text}}`;
}

function renderValue(value: unknown, field: string, depth: number): string {
  if (typeof value === 'string') return renderText(value, field);
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

function renderText(value: string, field: string): string {
  if (!value.isWellFormed()) throw refusal(field, 'text with a lone surrogate');
  const secret = secretIn(value);
  if (secret !== undefined) throw refusal(field, `text that looks like ${secret}`);
  return JSON.stringify(value);
}

function line(value: unknown, field: string): string {
  if (typeof value !== 'string') throw refusal(field, 'expected text');
  if (/[\n\r\u2028\u2029]/.test(value)) throw refusal(field, 'expected one line');
  return renderText(value, field);
}

function textOrNull(value: unknown, field: string): string {
  return value === null ? 'null' : line(value, field);
}

function digest(value: unknown, field: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return `"${value}"`;
  throw refusal(field, 'expected 64 hexadecimal digits in lower case');
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
