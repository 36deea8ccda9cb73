import { isJsonSequence } from '#contract/text/json-sequence';

/** Whether an answer with this Content-Type may be one that stays open: events (HTML, 9.2), lines of JSON. */
export function isOpenStream(contentType = ''): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType) || isJsonSequence(contentType);
}

/** Counts the events of a stream: what stands before empty lines, whichever ends of lines it has. */
export class EventCount {
  #events = 0;
  /** The line so far is empty; what came last was a carriage return. */
  #isEmptyLine = true;
  #afterReturn = false;
  #hasLines = false;

  /** @returns the events that have ended so far */
  add(chunk: Buffer): number {
    for (const byte of chunk) {
      const isEnd = byte === 10 || byte === 13;
      const isSecond = byte === 10 && this.#afterReturn;
      this.#afterReturn = byte === 13;
      if (isSecond) continue;
      if (!isEnd) {
        // A line that begins with a colon says nothing but that the stream is alive.
        if (this.#isEmptyLine && byte !== 58) this.#hasLines = true;
        this.#isEmptyLine = false;
        continue;
      }
      if (this.#isEmptyLine && this.#hasLines) {
        this.#events += 1;
        this.#hasLines = false;
      }
      this.#isEmptyLine = true;
    }
    return this.#events;
  }
}
