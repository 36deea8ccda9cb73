import type { OutgoingMessage, StoredMessage } from '#contract/bus/message';
import type { BusMessageRow } from '../../../generated/tables.ts';
import { ulid } from '../ulid.ts';

/** Streams, consumers and what they have delivered are the server's own, whoever publishes. */
export const ownTenant = 'default';

/** A message that is ready to be stored. */
export interface MessageRow
  extends Pick<BusMessageRow, 'tenant' | 'subject' | 'message_id' | 'headers' | 'data' | 'bytes'> {
  /** See `OutgoingMessage`. */
  readonly expected?: number;
  readonly since?: number;
  /** Its id was made for it, and nobody has used it before. */
  readonly isNew: boolean;
}

/** The row of a message, without its place. */
export function rowOf(message: OutgoingMessage): MessageRow {
  const { tenant, subject, headers: given = {}, id, expectedLastSequence: expected } = message;
  const { mayBeThereSince: since, isNewId: isNew = id === undefined } = message;
  const headers = JSON.stringify(given);
  // A database keeps no half of a surrogate pair.
  const data = message.data.toWellFormed();
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(headers) + subject.length;
  return {
    ...{ tenant, subject, message_id: id ?? ulid(), headers, data, bytes, isNew },
    ...(expected !== undefined && { expected }),
    ...(since !== undefined && { since }),
  };
}

/** A message as its row keeps it. */
export function messageOf(row: BusMessageRow): StoredMessage {
  const { stream, sequence, subject, tenant, message_id: id, data, stored_at: storedAt } = row;
  return {
    stream,
    sequence,
    subject,
    tenant,
    id,
    headers: JSON.parse(row.headers),
    data,
    storedAt,
  };
}
