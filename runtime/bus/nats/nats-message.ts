import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';
import type { OutgoingMessage, StoredMessage } from '#contract/bus/message';

/** Whose the message is, where CloudEvents' own extension does not say it. */
const tenantHeader = 'Service-Tenant';
const tenantExtension = 'ce-tenant';
/** What JetStream keeps for itself. */
const reserved = /^nats-/i;

/** The headers of a message on the wire. The names of NATS tell case apart. */
export function wireHeaders({ headers = {}, tenant }: OutgoingMessage): MsgHdrs {
  const wire = createHeaders();
  for (const [name, value] of Object.entries(headers)) wire.set(wireName(name), value);
  if (tenant !== '' && headers[tenantExtension] !== tenant) wire.set(tenantHeader, tenant);
  return wire;
}

/** Bytes of a message: data, headers and subject. */
export function bytesOf({ subject, data, headers = {} }: OutgoingMessage): number {
  let bytes = Buffer.byteLength(data) + subject.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}

/** A message of a consumer. */
export function deliveredMessage(message: JsMsg): StoredMessage {
  const { seq: sequence, subject, time } = message;
  const { stream } = message.info;
  return {
    stream,
    sequence,
    subject,
    ...readHeaders(message.headers),
    ...contentOf(message, time),
  };
}

/** A message that was asked for by its number. */
export function storedMessage(stream: string, message: StoredMsg): StoredMessage {
  const { seq: sequence, subject, time } = message;
  return { stream, sequence, subject, ...readHeaders(message.header), ...contentOf(message, time) };
}

function contentOf({ data }: { readonly data: Uint8Array }, time: Date) {
  return { data: Buffer.from(data).toString(), storedAt: time.getTime() };
}

function readHeaders(wire: MsgHdrs | undefined): Pick<StoredMessage, 'tenant' | 'id' | 'headers'> {
  const headers: Record<string, string> = {};
  for (const [name, values] of wire ?? []) {
    if (reserved.test(name) || name === tenantHeader) continue;
    headers[name.toLowerCase()] = values[0] ?? '';
  }
  return {
    tenant: wire?.get(tenantHeader) || headers[tenantExtension] || '',
    id: wire?.get('Nats-Msg-Id') ?? '',
    headers,
  };
}

/** CloudEvents wants its own small; everybody else expects what is usual in HTTP. */
function wireName(name: string): string {
  if (name.startsWith('ce-')) return name;
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
