import { type IncomingMessage, request } from 'node:http';

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

/** Send one HTTP request to a Unix socket, on a connection of its own. */
export function sendLocally({
  body,
  patienceMs,
  ...options
}: LocalRequest): Promise<IncomingMessage> {
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
