import { type Headers, headerOf } from '../call/exchange.ts';
import type { ExactDigits } from './json/lost-numbers.ts';

/** What there is to say of an answer as it was read, which its result does not show. */
export interface Remark {
  /** That it is not all that there is. */
  readonly part?: string;
  /** What reading it has lost. */
  readonly lost?: string;
  /** The digits of numbers that a double cannot hold. */
  readonly digits?: ExactDigits;
}

/** `items 0-24/3573` and the like (RFC 9110, section 14.4): what else stands there is not told. */
const range = /^[\w-]{1,20} [\d*-]{1,41}\/[\d*]{1,20}$/;

/** That an answer is a part (RFC 9110, section 15.3.7): most of those that ask know nothing of it. */
export function partial(headers: Headers): string {
  const said = headerOf(headers, 'content-range') ?? '';
  return `the vendor has given a part of the answer${range.test(said) ? ` (${said})` : ''}, by 206`;
}
