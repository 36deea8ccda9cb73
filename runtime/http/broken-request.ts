import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from '../process/node-http.ts';
import { problem, problemType } from './problem.ts';

const answers: Readonly<Record<string, readonly [status: number, code: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'the request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'head_too_large', 'the head of the request is too large'],
};

const notHttp = [400, 'invalid_request', 'the request is not valid HTTP'] as const;

type Answer = ServerResponse<IncomingMessage>;

/** The answer to the last request that came on a socket. */
const lastAnswer = Symbol('last answer');

interface NotedSocket extends Socket {
  [lastAnswer]?: Answer | undefined;
}

/** Answers on the bare socket what is not HTTP, or did not arrive in time. */
export class BrokenRequests {
  /** Remember where the answer to a request goes: at the socket, for a map costs each request more. */
  note(request: IncomingMessage, response: Answer): void {
    const socket: NotedSocket = request.socket;
    socket[lastAnswer] = response;
  }

  /** Let an answer go that is over, or else its connection would keep it until the next request. */
  forget(request: IncomingMessage, response: Answer): void {
    const socket: NotedSocket = request.socket;
    if (request.complete && socket[lastAnswer] === response) socket[lastAnswer] = undefined;
  }

  answer(error: Error & { readonly code?: string }, socket: NotedSocket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || !isNext(socket[lastAnswer])) {
      socket.destroy();
      return;
    }
    const [status, code, detail] = answers[error.code ?? ''] ?? notHttp;
    const body = JSON.stringify(problem(status, detail, { code }).members);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${problemType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}

/**
 * Whether the client takes what is sent now for the answer to the broken request: answers come in
 * the order of the requests (RFC 9112 section 9.3.2), so none before it may be outstanding.
 */
function isNext(last: Answer | undefined): boolean {
  if (!last) return true;
  // The last request has come whole, so it is another one that is broken.
  if (last.req.complete) return last.writableFinished;
  return last.socket !== null && !last.headersSent;
}
