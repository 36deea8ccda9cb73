/** Streams of records: events (HTML, 9.2) and lines of JSON, which may never end. */
const streams =
  /^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|stream\+json))$/;

/** Whether an answer with this Content-Type may be one that stays open. */
export function isOpenStream(contentType = ''): boolean {
  const [name = ''] = contentType.split(';', 1);
  return streams.test(name.trim().toLowerCase());
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
