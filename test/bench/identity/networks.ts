import { Client } from 'undici';
import { inFlight } from '../in-flight.ts';

/** What is posted. */
export interface Post {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** Posts that were answered, and how many of them in a second. */
export interface Posted {
  readonly count: number;
  readonly perSecond: number;
}

/** Requests that are under way at a time: answers that wait for the disk share a flush. */
const width = 64;

/**
 * Connections to a server from many networks, for one network may not register or ask for tokens as
 * often as a benchmark does: every address of 127.0.0.0/8 is one.
 */
export class Networks {
  readonly #clients: readonly Client[];
  #next = 0;

  constructor(base: string, count = 250) {
    this.#clients = Array.from({ length: count }, (_, number) => {
      return new Client(base, { localAddress: `127.1.${number >> 8}.${1 + (number & 0xff)}` });
    });
  }

  /** Post from the next network and give the text of the answer; any but 200 ends the benchmark. */
  async post({ path, type, body }: Post): Promise<string> {
    const client = this.#clients[this.#next++ % this.#clients.length];
    if (!client) throw new Error('there are no networks');
    const headers = { 'content-type': type };
    const answer = await client.request({ method: 'POST', path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return text;
  }

  /** Post in turn what is given, for some seconds. */
  async load(posts: readonly Post[], seconds: number): Promise<Posted> {
    const start = performance.now();
    const end = start + seconds * 1000;
    let count = 0;
    const worker = async () => {
      while (performance.now() < end) {
        const post = posts[count++ % posts.length];
        if (post) await this.post(post);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return { count, perSecond: (count * 1000) / (performance.now() - start) };
  }

  /** Do something so many times, some of them at a time. */
  repeat(count: number, act: () => Promise<unknown>): Promise<void> {
    return inFlight(width, count, act);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
