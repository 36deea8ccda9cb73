import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** One request that has come to the vendor. */
export interface Counted {
  readonly run: string;
  readonly step: string;
  readonly replica: string;
  readonly key: string | undefined;
}

/**
 * A vendor on the loopback interface that counts what is done. A request with a key that it has seen
 * before is answered as the first one was, and done no second time.
 */
export class CountingVendor {
  readonly requests: Counted[] = [];
  /** Things that were done: each key once, each request without one. */
  readonly effects: string[] = [];
  readonly #held = new Set<string>();
  readonly #answers = new Map<string, string>();
  readonly #server = createServer((request, response) => {
    const [, run = '', step = ''] = (request.url ?? '').split('/');
    const key = request.headers['idempotency-key'];
    this.#count(
      {
        ...{ run, step, replica: String(request.headers['replica']) },
        key: typeof key === 'string' ? key : undefined,
      },
      response,
    );
  });
  readonly #waiting: (() => void)[] = [];

  async start(t: TestContext): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Do what this step of this run asks for, and never answer it, the first time. */
  hold(run: string, step: string): void {
    this.#held.add(`${run}/${step}`);
  }

  /** Wait until so many requests are held. */
  async holding(count: number): Promise<void> {
    while (this.#heldNow < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #heldNow = 0;

  #count(counted: Counted, response: ServerResponse): void {
    const { run, step, key } = counted;
    this.requests.push(counted);
    const act = `${run}/${step}`;
    const known = key === undefined ? undefined : this.#answers.get(key);
    const answer = known ?? `${act}#${this.effects.length}`;
    if (known === undefined) this.effects.push(act);
    if (key !== undefined) this.#answers.set(key, answer);
    if (this.#held.delete(act)) {
      this.#heldNow += 1;
      for (const tell of this.#waiting.splice(0)) tell();
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ answer }));
  }
}
