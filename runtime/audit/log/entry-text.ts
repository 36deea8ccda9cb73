import canonicalize from 'canonicalize';
import { isObject } from '#contract/json';
import type { EventParts } from './canonical-event.ts';

/** What an entry takes over from the one before. */
export interface EntryPlace {
  readonly seq: number;
  readonly prevHash: string;
  /** Time of the entry before, in milliseconds since the epoch. */
  readonly lastTime: number;
}

/** Renders the entries of one log canonically (RFC 8785), from events that are rendered already. */
export class EntryText {
  readonly #origin: string;
  #time = { value: -1, text: '' };

  constructor(origin: string) {
    this.#origin = JSON.stringify(origin);
  }

  /** The text of an entry; its time is `at`, or that of the entry before when that is later. */
  render(parts: EventParts, at: number, { seq, prevHash, lastTime }: EntryPlace): string {
    const middle = at < lastTime ? withSkew(parts[1], lastTime - at) : parts[1];
    const ts = this.#timestamp(Math.max(at, lastTime));
    return `{${parts[0]},"log":${this.#origin},${middle},"prev_hash":"${prevHash}","seq":${seq},${parts[2]},"ts":"${ts}","v":1}`;
  }

  #timestamp(value: number): string {
    if (this.#time.value !== value) this.#time = { value, text: new Date(value).toISOString() };
    return this.#time.text;
  }
}

/** Say in the payload that the clock had moved back: `ts` is that of the entry before. */
function withSkew(outcomeAndPayload: string, milliseconds: number): string {
  const members: unknown = JSON.parse(`{${outcomeAndPayload}}`);
  if (!isObject(members) || !isObject(members['payload']))
    throw new Error('an event without payload');
  const payload = { ...members['payload'], clock_skew_ms: milliseconds };
  return canonicalize({ ...members, payload })?.slice(1, -1) ?? '';
}
