import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, problemType } from './problem.ts';

const answers: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'the head of the request is too large'],
};

/** Answer on the bare socket what is not HTTP, or did not arrive in time. */
export function answerBrokenRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = answers[error.code ?? ''] ?? [400, 'the request is not valid HTTP'];
  const body = JSON.stringify(problem(status, detail).members);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
