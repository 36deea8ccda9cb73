import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vendor that answers every request as it is told to. */
export interface AnsweringServer {
  readonly url: string;
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Start it on a free port of loopback. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    request.resume();
    vendor.answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const vendor: AnsweringServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (response) => response.writeHead(500).end(),
    async close() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
  return vendor;
}
