import { createHash } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import { comparableText, isObject } from '#contract/json';
import { limits } from '../numbers.ts';

/** Where a page ends: what follows is the next one. */
export interface Position {
  /** Nanoseconds since the epoch of the last row; absent where pages are counted. */
  readonly time?: bigint;
  /** Fingerprints of what of that very time was given. */
  readonly given: readonly string[];
  /** Of what was given of the time beside it, which may come once more. */
  readonly near?: readonly string[];
  /** Rows that were given, where pages are counted. */
  readonly offset?: number;
}

/** Write a position so that it fits no other query. */
export function writeCursor(query: string, { time, given, near, offset }: Position): string {
  const value = {
    q: query,
    t: time?.toString(),
    g: packed(given),
    n: near && packed(near),
    o: offset,
  };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** @throws ServiceError `invalid_request` where it is none, or one of another query */
export function readCursor(query: string, cursor: string): Position {
  const value = parsed(cursor);
  const { q, t, g, n, o } = isObject(value) ? value : {};
  const isTime = t === undefined || (typeof t === 'string' && /^\d{1,20}$/.test(t));
  const given = unpacked(g);
  const near = n === undefined ? [] : unpacked(n);
  const isOffset = o === undefined || (Number.isSafeInteger(o) && Number(o) >= 0);
  if (typeof q !== 'string' || !isTime || !given || !near || !isOffset) {
    throw wrong('it must be the nextCursor of an answer, as it was given');
  }
  if (q !== query)
    throw wrong(
      'it belongs to another query: ask the same again, with nothing changed but the cursor',
    );
  return {
    given,
    ...(near.length > 0 && { near }),
    ...(typeof t === 'string' && { time: BigInt(t) }),
    ...(o !== undefined && { offset: Number(o) }),
  };
}

/** Fingerprints, four bytes each. */
function packed(fingerprints: readonly string[]): string {
  const bytes = Buffer.alloc(fingerprints.length * 4);
  for (const [place, each] of fingerprints.entries()) {
    bytes.writeUInt32BE(Number.parseInt(each, 36), place * 4);
  }
  return bytes.toString('base64url');
}

function unpacked(text: unknown): readonly string[] | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length % 4 !== 0 || bytes.length > limits.skipped * 4) return undefined;
  return Array.from({ length: bytes.length / 4 }, (_, place) =>
    bytes.readUInt32BE(place * 4).toString(36),
  );
}

/** A short name of all that decides which rows a query gives. */
export function queryName(asked: unknown): string {
  return createHash('sha256').update(comparableText(asked)).digest('base64url').slice(0, 16);
}

function parsed(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  // What is no base64url is passed over in reading.
  if (bytes.toString('base64url') !== cursor) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function wrong(reason: string): ServiceError {
  return new ServiceError('invalid_request', 400, `the cursor cannot be used: ${reason}`, {
    detail: { field: 'cursor' },
  });
}
