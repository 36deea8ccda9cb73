import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';

/** What a client is told that came when there were too many. Nothing of its request was done. */
export const overloaded = new ServiceError(
  'overloaded',
  503,
  'the server has more to do than it can; nothing was done, try again later',
  { retryAfterMs: 1000 },
);

/** A body that is read to its end, so that the connection can be used again. */
const mostDrained = 65_536;

/** Whether the rest of a request is so short that it is cheaper to read than a new connection. */
export function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= mostDrained;
}
