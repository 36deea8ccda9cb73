import { randomFillSync } from 'node:crypto';

/** Crockford's base 32: without I, L, O and U. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const randomDigits = 16;

/** Random bytes for the next ids: to ask the system for each takes longer than all the rest. */
const pool = new Uint8Array(256 * randomDigits);
let used = pool.length;

let last = { time: 0, random: new Uint8Array(randomDigits) };

/** An id that sorts by the time at which it was made, within this process strictly (ULID). */
export function ulid(now = Date.now()): string {
  const time = Math.max(now, last.time);
  const random = time === last.time ? following(last.random) : nextRandom();
  last = { time, random };
  return textOf(time) + Array.from(random, (digit) => digits[digit]).join('');
}

function nextRandom(): Uint8Array<ArrayBuffer> {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += randomDigits;
  return pool.slice(used - randomDigits, used).map((byte) => byte & 31);
}

function textOf(time: number): string {
  let rest = time;
  let text = '';
  for (let index = 0; index < timeDigits; index++) {
    text = digits[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The next number; after the largest one it begins anew, which takes 2^79 ids in a millisecond. */
function following(random: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = Uint8Array.from(random);
  for (let index = next.length - 1; index >= 0; index--) {
    const digit = (next[index] ?? 0) + 1;
    next[index] = digit & 31;
    if (digit < 32) break;
  }
  return next;
}
