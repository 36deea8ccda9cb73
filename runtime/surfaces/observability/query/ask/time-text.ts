import type { TimeUnit } from '#contract/telemetry/kind';

const perSecond = 1_000_000_000n;

/** A time in nanoseconds as RFC 3339 with nine digits, of which zeros at the end are left out. */
export function rfc3339(ns: bigint): string {
  const seconds = ns / perSecond;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = (ns % perSecond).toString().padStart(9, '0').replace(/0+$/, '');
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Compare times that `rfc3339` wrote: without its `Z`, the text of an earlier time is the lesser one. */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1;
}

/** A time in nanoseconds as seconds with a fraction. */
export function decimalSeconds(ns: bigint): string {
  const fraction = (ns % perSecond).toString().padStart(9, '0').replace(/0+$/, '');
  return `${ns / perSecond}${fraction === '' ? '' : `.${fraction}`}`;
}

const nsPerUnit: Readonly<Record<Exclude<TimeUnit, 'rfc3339'>, bigint>> = {
  ns: 1n,
  us: 1000n,
  ms: 1_000_000n,
  s: perSecond,
};

const wholeNumber = /^\d{1,20}$/;

/** Read what a back end calls a time or a duration, in nanoseconds; `undefined` where it is none. */
export function parseNanoseconds(value: unknown, unit: TimeUnit): bigint | undefined {
  if (unit === 'rfc3339') return typeof value === 'string' ? parseRfc3339(value) : undefined;
  if (unit === 'ns' && typeof value === 'string' && wholeNumber.test(value)) return BigInt(value);
  const text = typeof value === 'number' ? plain(value) : value;
  if (typeof text !== 'string') return undefined;
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,9})\d*)?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const factor = nsPerUnit[unit];
  return BigInt(whole) * factor + (BigInt(fraction.padEnd(9, '0')) * factor) / perSecond;
}

/** Large numbers without an exponent. */
function plain(value: number): string | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(9);
}

function parseRfc3339(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?(Z|z|[+-]\d\d:?\d\d)?$/.exec(text) ??
    [];
  if (seconds === undefined) return undefined;
  const ms = Date.parse(`${seconds.replace(' ', 'T')}${zone?.toUpperCase() ?? 'Z'}`);
  if (Number.isNaN(ms)) return undefined;
  return BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
