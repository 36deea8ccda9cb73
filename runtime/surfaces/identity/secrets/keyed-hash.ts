import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 of several parts, none of which can run into the next, in base64url. */
export function keyedHash(key: Buffer, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest('base64url');
}

/** Compare two texts in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
