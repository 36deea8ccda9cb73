import { randomFillSync } from 'node:crypto';

/** Asking for random bytes costs the same for many as for few. */
const pool = Buffer.alloc(4096);
let taken = pool.length;

/** Hexadecimal digits of `bytes` random bytes, 16 of them at most (W3C Trace Context 3.2.2.3). */
export function randomId(bytes: number): string {
  if (taken + bytes > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += bytes;
  return pool.toString('hex', taken - bytes, taken);
}
