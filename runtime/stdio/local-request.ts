import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../process/node-http.ts';
import { StartError } from '../process/start-error.ts';

/** A server with a full queue of connections is tried again after this time. */
const crowdedMs = 10;

/** How long a server may have no room in that queue. */
const mostCrowdedMs = 30_000;

export interface LocalRequest {
  readonly socketPath: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
  /** How long the answer may take to begin. */
  readonly patienceMs?: number;
}

/**
 * Send one HTTP request to a Unix socket, on a connection of its own.
 *
 * @throws StartError when the server has no room for one more connection
 */
export async function sendLocally(request: LocalRequest): Promise<IncomingMessage> {
  const end = performance.now() + (request.patienceMs ?? mostCrowdedMs);
  for (;;) {
    try {
      return await sendOnce(request);
    } catch (error) {
      // The queue of the socket is full: the request has reached nobody (connect(2), EAGAIN).
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      if (performance.now() > end) {
        throw new StartError('the server takes no more connections; try again later', {
          cause: error,
        });
      }
    }
    await sleep(crowdedMs, undefined, request.signal && { signal: request.signal });
  }
}

function sendOnce({ body, patienceMs, ...options }: LocalRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    // A connection that is kept may be closed at the moment when the next request is sent.
    const sent = request({ ...options, agent: false }, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    if (patienceMs !== undefined) {
      timer = setTimeout(() => sent.destroy(new Error('no answer came in time')), patienceMs);
    }
    sent.end(body);
  });
}

/** Whether nobody listens there, so that the request has reached nobody. */
export function isUnreachable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}
