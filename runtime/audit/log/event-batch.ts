import type { EventParts } from './canonical-event.ts';

/** Room for a thousand usual events, and for the largest one in any alphabet. */
const capacity = 512 * 1024;

/**
 * Events on their way to the thread that writes them: each part on a line of its own, because
 * canonical text has no line breaks. As bytes they cross without a copy, and while they gather there
 * is nothing that a garbage collector would have to look at.
 */
export class EventBatch {
  readonly #bytes = Buffer.allocUnsafeSlow(capacity);
  #used = 0;

  /** Whether there is room for an event of so many characters. */
  fits([first, second, third]: EventParts): boolean {
    // At most three bytes for a character, and three line breaks.
    return this.#used + 3 * (first.length + second.length + third.length + 3) <= capacity;
  }

  /** Add an event that fits; answers its size in bytes. */
  add([first, second, third]: EventParts): number {
    const size = this.#bytes.write(`${first}\n${second}\n${third}\n`, this.#used);
    this.#used += size;
    return size;
  }

  /** Give everything away. */
  take(): Uint8Array<ArrayBuffer> {
    const events = new Uint8Array(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    return events;
  }
}

/** The parts of each event of a batch. */
export function eventsOf(events: Uint8Array): EventParts[] {
  const lines = Buffer.from(events.buffer, events.byteOffset, events.length).toString().split('\n');
  const parts: EventParts[] = [];
  for (let at = 0; at + 3 < lines.length; at += 3) {
    parts.push([lines[at] ?? '', lines[at + 1] ?? '', lines[at + 2] ?? '']);
  }
  return parts;
}
