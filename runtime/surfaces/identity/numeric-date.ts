/** The last time that a date can be, in milliseconds since the epoch (ECMA-262, Time Values and Time Range). */
export const farthestMs = 8_640_000_000_000_000;

/** Whole milliseconds since the epoch, as near to a time as a row of the store can hold. */
export function storableTime(ms: number): number {
  return Math.ceil(Math.min(Math.max(ms, -farthestMs), farthestMs));
}

/**
 * A time of somebody else (NumericDate, RFC 7519 section 2: seconds, which may have a fraction) in
 * whole milliseconds since the epoch, as near as a row of the store can hold. It is rounded up: what
 * is remembered until a token has expired is not forgotten before.
 */
export function timeOfNumericDate(seconds: number): number {
  return storableTime(seconds * 1000);
}
