import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';
import type { OutgoingMessage, StoredMessage } from '#contract/bus/message';
import { isToken } from '#contract/bus/subject';
import { defaultTenant } from '#contract/tenant/tenants';

/** Whose the message is, where CloudEvents' own extension does not say it. */
const tenantHeader = 'Service-Tenant';
const tenantExtension = 'ce-tenant';
/** The number that a message had in the store, before it was moved to NATS. */
export const movedFromHeader = 'Service-Moved-From';
/** What JetStream keeps for itself. */
const reserved = /^nats-/i;

/** Says by its subject whose a message is; nothing where the subject does not decide it. */
export type TenantOf = (subject: string) => string | undefined;

/** The headers of a message on the wire. The names of NATS tell case apart. */
export function wireHeaders({ headers = {}, tenant }: OutgoingMessage): MsgHdrs {
  const wire = createHeaders();
  for (const [name, value] of Object.entries(headers)) wire.set(wireName(name), value);
  if (tenant !== '' && headers[tenantExtension] !== tenant) wire.set(tenantHeader, tenant);
  return wire;
}

/**
 * The id of a message on the wire (Nats-Msg-Id), which a stream tells apart for all of its tenants:
 * each has ids of its own. Those of the default tenant stay as they are, unless one looks like the id
 * of another tenant. What no header can carry is percent-encoded; `ce-id` has the id of the event.
 */
export function wireId(tenant: string, id: string): string {
  const own = tenant === '' ? defaultTenant : tenant;
  const isPlain = own === defaultTenant && !isToken(id.split('/', 1)[0] ?? '');
  const isWhole = own === defaultTenant && !id.includes('/');
  return encodeControls(isPlain || isWhole ? id : `${own}/${id}`);
}

function encodeControls(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return id.toWellFormed().replace(/[\x00-\x1f\x7f]/g, encodeURIComponent);
}

/** The id that a message has for its tenant. */
function idOf(wire: string, tenant: string): string {
  const prefix = `${tenant === '' ? defaultTenant : tenant}/`;
  return wire.startsWith(prefix) ? wire.slice(prefix.length) : wire;
}

/** Bytes of a message: data, headers and subject. */
export function bytesOf({ subject, data, headers = {} }: OutgoingMessage): number {
  let bytes = Buffer.byteLength(data) + subject.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}

/** A message of a consumer. */
export function deliveredMessage(message: JsMsg, tenantOf?: TenantOf): StoredMessage {
  const { seq: sequence, subject, time } = message;
  const { stream } = message.info;
  return {
    stream,
    sequence,
    subject,
    ...readHeaders(message.headers, tenantOf?.(subject)),
    ...contentOf(message, time),
  };
}

/** A message that was asked for by its number. */
export function storedMessage(
  stream: string,
  message: StoredMsg,
  tenantOf?: TenantOf,
): StoredMessage {
  const { seq: sequence, subject, time } = message;
  return {
    ...{ stream, sequence, subject },
    ...readHeaders(message.header, tenantOf?.(subject)),
    ...contentOf(message, time),
  };
}

function contentOf({ data }: { readonly data: Uint8Array }, time: Date) {
  return { data: Buffer.from(data).toString(), storedAt: time.getTime() };
}

function readHeaders(
  wire: MsgHdrs | undefined,
  tenant: string | undefined,
): Pick<StoredMessage, 'tenant' | 'id' | 'headers'> {
  const headers: Record<string, string> = {};
  for (const [name, values] of wire ?? []) {
    if (reserved.test(name) || name === tenantHeader || name === movedFromHeader) continue;
    headers[name.toLowerCase()] = values[0] ?? '';
  }
  // What others may publish, the accounts of NATS decide by subject: a header may say anything.
  const whose = tenant ?? (wire?.get(tenantHeader) || headers[tenantExtension] || '');
  return { tenant: whose, id: idOf(wire?.get('Nats-Msg-Id') ?? '', whose), headers };
}

/** CloudEvents wants its own small; everybody else expects what is usual in HTTP. */
function wireName(name: string): string {
  if (name.startsWith('ce-')) return name;
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
