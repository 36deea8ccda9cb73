import { Lines } from './lines.ts';

const field = /^(data|id):[ ]?/;

/**
 * Reads a stream of server-sent events and gives the data of each, one JSON text on one line.
 *
 * @throws Error when an event is larger than `limit`
 */
export class EventData {
  /** The last event that had an id: the stream can be continued after it. */
  lastId: string | undefined;
  readonly #lines: Lines;

  constructor(limit: number, take: (data: Buffer) => void) {
    this.#lines = new Lines({
      limit,
      line: (bytes) => {
        const [head, name] = field.exec(bytes.toString('latin1', 0, 6)) ?? [];
        if (head === undefined) return;
        const value = bytes.subarray(head.length);
        if (name === 'id') this.lastId = value.toString('latin1');
        // An event may do no more than mark a place.
        else if (value.length > 0) take(value);
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
