import { type IncomingMessage, request } from 'node:http';

export interface LocalRequest {
  readonly socketPath: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
}

/** Send one HTTP request to a Unix socket, on a connection of its own. */
export function sendLocally({ body, ...options }: LocalRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A connection that is kept may be closed at the moment when the next request is sent.
    request({ ...options, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}

/** Whether nobody listens there, so that the request has reached nobody. */
export function isUnreachable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}
