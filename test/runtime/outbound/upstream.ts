import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A request as the upstream saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Upstream {
  /** Its base address. */
  readonly url: string;
  readonly seen: readonly Seen[];
}

export type Answer = (response: ServerResponse, request: Seen, count: number) => void;

/** Start a loopback server that answers as `answer` says, and stop it after the test. */
export async function startUpstream(test: TestContext, answer: Answer): Promise<Upstream> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const message = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(message);
    answer(response, message, seen.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

/** Start a loopback server that has `answer` write what it likes for each packet; gives its base address. */
export async function startSocket(
  test: TestContext,
  answer: (socket: Socket, packet: string) => unknown,
): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (packet) => answer(socket, String(packet)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Answer with JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
