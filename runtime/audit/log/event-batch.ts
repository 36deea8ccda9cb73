import type { EventParts } from './canonical-event.ts';
import { fillIn, type RecurringEvent } from './recurring-event.ts';

/** Room for a thousand usual events, and for the largest one in any alphabet. */
const capacity = 512 * 1024;
/** An id of a call, the number of an event, a value and what stands between them. */
const mostBytesOfCall = 64;

/**
 * Events on their way to the thread that writes them, as lines of bytes, because canonical text has
 * no line breaks. They cross without a copy, and while they gather there is nothing that a garbage
 * collector would have to look at. A line begins with
 *
 * - `"`: each of the three parts of an event is a line,
 * - `=`: each of the four pieces of a recurring event is a line, once in a batch; it gets the next
 *   number,
 * - a digit of the id of a call: that, the number of a recurring event and the value of this call.
 */
export class EventBatch {
  readonly #bytes = Buffer.allocUnsafeSlow(capacity);
  readonly #numbers = new Map<RecurringEvent, number>();
  #used = 0;

  /** Whether there is room for an event of so many characters. */
  fits([first, second, third]: EventParts): boolean {
    // At most three bytes for a character, and three line breaks.
    return this.#used + 3 * (first.length + second.length + third.length + 3) <= capacity;
  }

  /** Add an event that fits; answers its size in bytes. */
  add([first, second, third]: EventParts): number {
    return this.#write(`${first}\n${second}\n${third}\n`);
  }

  /** Whether there is room for one more call of a recurring event. */
  fitsCall(event: RecurringEvent): boolean {
    const more = this.#numbers.has(event)
      ? 0
      : event.pieces.reduce((sum, piece) => sum + 3 * (piece.length + 2), 0);
    return this.#used + more + mostBytesOfCall <= capacity;
  }

  /** Add a call of a recurring event, which fits; `id` is a UUID. Answers its size in bytes. */
  addCall(event: RecurringEvent, id: string, value: number): number {
    let size = 0;
    let number = this.#numbers.get(event);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(event, number);
      size = this.#write(`=${event.pieces.join('\n')}\n`);
    }
    const line = this.#bytes.write(`${id}${number} ${value}\n`, this.#used, 'latin1');
    this.#used += line;
    return size + line;
  }

  /** Give everything away. */
  take(): Uint8Array<ArrayBuffer> {
    const events = new Uint8Array(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    this.#numbers.clear();
    return events;
  }

  #write(text: string): number {
    const size = this.#bytes.write(text, this.#used);
    this.#used += size;
    return size;
  }
}

/** The parts of each event of a batch. */
export function eventsOf(events: Uint8Array): EventParts[] {
  const lines = Buffer.from(events.buffer, events.byteOffset, events.length).toString().split('\n');
  const recurring: RecurringEvent['pieces'][] = [];
  const parts: EventParts[] = [];
  // Behind the last line break is nothing.
  for (let at = 0; at + 1 < lines.length; ) {
    const [line = '', second = '', third = '', fourth = ''] = lines.slice(at, at + 4);
    if (line.startsWith('"')) {
      parts.push([line, second, third]);
      at += 3;
    } else if (line.startsWith('=')) {
      recurring.push([line.slice(1), second, third, fourth]);
      at += 4;
    } else {
      parts.push(partsOfCall(line, recurring));
      at += 1;
    }
  }
  return parts;
}

const uuidLength = 36;

function partsOfCall(line: string, recurring: readonly RecurringEvent['pieces'][]): EventParts {
  const [number, value = ''] = line.slice(uuidLength).split(' ');
  const pieces = recurring[Number(number)];
  if (pieces === undefined) throw new Error('a call of an event that the batch does not hold');
  return fillIn(pieces, line.slice(0, uuidLength), value);
}
