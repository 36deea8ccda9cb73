import { endBytes } from '../mcp/wire/long-message.ts';

const newline = 0x0a;

export interface LineReader {
  readonly limit: number;
  line(bytes: Buffer): void;
  /** A line was longer than the limit; these are its first and its last bytes. */
  tooLong(start: Buffer, end: Buffer): void;
}

/** Takes a stream of bytes apart into lines and keeps no more of one than its limit. */
export class Lines {
  readonly #reader: LineReader;
  #parts: Buffer[] = [];
  #length = 0;
  /** The beginning of a line that has become too long. */
  #start: Buffer | undefined;

  constructor(reader: LineReader) {
    this.#reader = reader;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, to));
      this.finish();
      from = to + 1;
    }
    this.#add(chunk.subarray(from));
  }

  /** End the line: nothing more belongs to it. */
  finish(): void {
    const [first = Buffer.alloc(0)] = this.#parts;
    const bytes = this.#parts.length > 1 ? Buffer.concat(this.#parts) : first;
    const start = this.#start;
    this.#parts = [];
    this.#length = 0;
    this.#start = undefined;
    if (start) this.#reader.tooLong(start, bytes);
    else if (bytes.length > 0) this.#reader.line(bytes);
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#reader.limit) return;
    const bytes = Buffer.concat(this.#parts);
    // Copies, or else all of it would stay in memory.
    this.#start ??= Buffer.from(bytes.subarray(0, endBytes));
    this.#parts = [Buffer.from(bytes.subarray(-endBytes))];
  }
}
