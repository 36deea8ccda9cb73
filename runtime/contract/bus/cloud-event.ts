import { isObject, type Json } from '../json.ts';
import { busInvalid } from './faults.ts';
import type { StoredMessage } from './message.ts';

/** An event (CloudEvents 1.0.2), with the extensions that this server sets. */
export interface CloudEvent {
  readonly id: string;
  readonly source: string;
  /** `service.<area>.<event>.v1` for events of the catalogue. */
  readonly type: string;
  /** RFC 3339. */
  readonly time?: string;
  /** What it is about. */
  readonly subject?: string;
  readonly datacontenttype?: string;
  readonly dataschema?: string;
  readonly tenant?: string;
  /** The same for all events of one undertaking. */
  readonly correlationid?: string;
  /** Id of the event that led to this one. */
  readonly causationid?: string;
  /** W3C Trace Context. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly data: Json;
}

const attributes = [
  ...['id', 'source', 'type', 'time', 'subject', 'datacontenttype', 'dataschema'],
  ...['tenant', 'correlationid', 'causationid', 'traceparent', 'tracestate'],
] as const;

const specversion = '1.0';
const structuredType = 'application/cloudevents+json';

/** An event in binary mode (CloudEvents, NATS protocol binding 3.1): attributes are headers. */
export function toBinary(event: CloudEvent): Pick<StoredMessage, 'headers' | 'data'> {
  const headers: Record<string, string> = { 'ce-specversion': specversion };
  const values: Readonly<Record<string, unknown>> = { ...event };
  for (const name of attributes) {
    const value = values[name];
    if (typeof value === 'string') headers[`ce-${name}`] = encodeHeader(value);
  }
  return { headers, data: JSON.stringify(event.data) };
}

/** An event in structured mode (section 3.2): the body is the whole event (JSON event format). */
export function toStructured(event: CloudEvent): Pick<StoredMessage, 'headers' | 'data'> {
  return {
    headers: { 'content-type': structuredType },
    data: JSON.stringify({ specversion, ...event }),
  };
}

/**
 * Read an event in either mode. Bare JSON without attributes is the data of an event of which
 * nothing more is known than its message says.
 *
 * @throws ServiceError `invalid_params` where it is none
 */
export function readCloudEvent(
  message: Pick<StoredMessage, 'headers' | 'data' | 'id' | 'subject' | 'tenant'>,
): CloudEvent {
  const { headers, data } = message;
  if (headers['content-type']?.startsWith('application/cloudevents')) return fromStructured(data);
  if (headers['ce-specversion'] === undefined) {
    const { id, subject, tenant } = message;
    return { id, source: '', type: `${subject}.v1`, tenant, data: jsonIn(data, 'data') };
  }
  const found = Object.fromEntries(
    attributes.flatMap((name) => {
      const value = headers[`ce-${name}`];
      return value === undefined ? [] : [[name, decodeHeader(value)]];
    }),
  );
  return checked({ specversion: headers['ce-specversion'], ...found }, jsonIn(data, 'data'));
}

function fromStructured(text: string): CloudEvent {
  const event = jsonIn(text, 'the event');
  if (!isObject(event)) throw busInvalid('the event', 'a JSON object', text);
  const { data_base64: encoded, data } = event;
  const decoded =
    typeof encoded === 'string'
      ? jsonIn(Buffer.from(encoded, 'base64').toString(), 'data_base64')
      : data;
  // What JSON carried.
  return checked(event, (decoded ?? null) as Json);
}

/** An event without those attributes that it must have is none (CloudEvents, 3.1). */
function checked(found: Readonly<Record<string, unknown>>, data: Json): CloudEvent {
  const { specversion: version } = found;
  if (version !== specversion) throw busInvalid('specversion', specversion, String(version));
  for (const name of ['id', 'source', 'type']) {
    const value = found[name];
    if (typeof value !== 'string' || value === '') {
      throw busInvalid(name, 'a text that is not empty', String(value ?? ''));
    }
  }
  for (const name of attributes) {
    const value = found[name];
    if (value !== undefined && typeof value !== 'string') {
      throw busInvalid(name, 'a text', JSON.stringify(value));
    }
  }
  const known = attributes.flatMap((name) =>
    found[name] === undefined ? [] : [[name, found[name]] as const],
  );
  // `id`, `source` and `type` are among them, and all are texts.
  return { ...(Object.fromEntries(known) as unknown as Omit<CloudEvent, 'data'>), data };
}

function jsonIn(text: string, what: string): Json {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw busInvalid(what, 'JSON', text);
  }
}

/** Percent-encode what a header cannot hold (HTTP protocol binding 3.1.3.2, which NATS follows). */
function encodeHeader(value: string): string {
  return value
    .toWellFormed()
    .replace(/[^\x21-\x7e]|["%]/gu, (sign) =>
      [...Buffer.from(sign)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}

/** Other encoders leave more as it is; what is malformed stays. */
function decodeHeader(value: string): string {
  if (!value.includes('%')) return value;
  const bytes = Buffer.from(value);
  const decoded: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const hex = bytes.toString('latin1', index + 1, index + 3);
    if (bytes[index] === percent && /^[0-9a-fA-F]{2}$/.test(hex)) {
      decoded.push(Number.parseInt(hex, 16));
      index += 2;
    } else decoded.push(bytes[index] ?? 0);
  }
  return Buffer.from(decoded).toString();
}

const percent = 0x25;
