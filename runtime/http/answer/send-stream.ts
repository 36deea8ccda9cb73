import type { ServerResponse } from 'node:http';
import { eventText, silence } from './event-text.ts';

/** A stream that a route answers with. */
export interface StreamedAnswer {
  readonly parts: AsyncIterable<unknown>;
  readonly isEvents: boolean;
  /** Ends it: the client has left, time is up, or the server stops. */
  readonly signal: AbortSignal;
  /** How long a client may read nothing of what is sent, in milliseconds; then it is cut off. */
  readonly unreadMs: number;
  /** Send the head of the answer. */
  writeHead(): void;
}

/** A stream of events that says nothing for so long shows that it is there. */
const quietMs = 15_000;

const stopped = Symbol('stopped');
const quiet = Symbol('quiet');

/**
 * Send a stream as it is made, and no faster than the client reads. Events end in peace when the
 * signal ends them, for clients of events come back; of other bodies the client must see that a
 * part is missing, so their connection is cut.
 *
 * @throws whatever the stream throws; before anything was sent, it can still be told
 */
export async function sendStream(
  response: ServerResponse,
  { parts, isEvents, signal, unreadMs, writeHead }: StreamedAnswer,
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  const waits = new Waits(signal);
  let isWhole = false;
  try {
    if (isEvents) writeHead();
    for (;;) {
      const next = await nextOf(iterator, waits, isEvents ? response : undefined);
      if (next === stopped) break;
      if (!response.headersSent) writeHead();
      if (next.done) {
        isWhole = true;
        break;
      }
      const chunk = isEvents ? eventText(next.value as never) : next.value;
      if (response.write(chunk as string | Uint8Array)) continue;
      if ((await waits.for(drained(response, unreadMs))) === stopped) break;
      if (response.destroyed) break;
    }
    if (!response.headersSent) throw signal.reason;
    if ((isWhole || isEvents) && !response.destroyed) response.end();
  } finally {
    waits.end();
    // Nobody waits for what its maker still does; it has been told.
    iterator.return?.().then(undefined, () => {});
    if (response.headersSent && !response.writableEnded) response.destroy();
  }
}

/** The next part; meanwhile, an event stream shows from time to time that it is there. */
async function nextOf(
  iterator: AsyncIterator<unknown>,
  waits: Waits,
  response: ServerResponse | undefined,
): Promise<IteratorResult<unknown> | typeof stopped> {
  const part = iterator.next();
  for (;;) {
    const came = await waits.for(part, response ? quietMs : undefined);
    if (came !== quiet) return came;
    response?.write(silence);
  }
}

/**
 * Wait until all that was written has gone to the system, of which a client that does not read
 * leaves some here: its connection is cut once not one more byte of it went for so long. The clock
 * is that of the socket, which sees also how a large part goes bit by bit.
 */
function drained(response: ServerResponse, unreadMs: number): Promise<void> {
  const { socket } = response;
  const usualMs = socket?.timeout ?? 0;
  socket?.setTimeout(unreadMs);
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end);
      // A listener that stays would be one more for each part that had to wait.
      response.off('close', end);
      socket?.setTimeout(usualMs);
      resolve();
    };
    response.on('drain', end);
    response.on('close', end);
  });
}

/** Waits for one thing after another, and for the signal all the time. */
class Waits {
  readonly #signal: AbortSignal;
  #stop: (() => void) | undefined;
  readonly #onAbort = () => this.#stop?.();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
  }

  /** What `work` gives, unless the signal or the time is over before. */
  for<Result>(work: Promise<Result>): Promise<Result | typeof stopped>;
  for<Result>(
    work: Promise<Result>,
    ms: number | undefined,
  ): Promise<Result | typeof stopped | typeof quiet>;
  for<Result>(work: Promise<Result>, ms?: number): Promise<Result | typeof stopped | typeof quiet> {
    if (this.#signal.aborted) {
      work.catch(() => {});
      return Promise.resolve(stopped);
    }
    // One promise for each wait: a race with the same promise again and again would never be freed.
    return new Promise((resolve, reject) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms, quiet);
      const clear = () => clearTimeout(timer);
      this.#stop = () => {
        clear();
        resolve(stopped);
      };
      work.then(
        (result) => {
          clear();
          resolve(result);
        },
        (error) => {
          clear();
          reject(error);
        },
      );
    });
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
