import { Lines } from './lines.ts';

const field = Buffer.from('data:');
const space = 0x20;

/**
 * Reads a stream of server-sent events and gives the data of each, one JSON text on one line.
 *
 * @throws Error when an event is larger than `limit`
 */
export class EventData {
  readonly #lines: Lines;

  constructor(limit: number, take: (data: Buffer) => void) {
    this.#lines = new Lines({
      limit,
      line(bytes) {
        if (!bytes.subarray(0, field.length).equals(field)) return;
        const value = bytes.subarray(
          bytes[field.length] === space ? field.length + 1 : field.length,
        );
        // The first event of a stream that can be resumed has an id and nothing else.
        if (value.length > 0) take(value);
      },
      tooLong() {
        throw new Error(`the server has sent an event of more than ${limit} bytes`);
      },
    });
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }
}
