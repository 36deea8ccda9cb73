import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { benchTools, callResult } from '../bench-tools.ts';
import { announce } from './announce.ts';

/** The official SDK, version 2, doing the same work. */
const tools = benchTools(100);

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', (request) =>
    callResult(String(request.params.arguments?.['text'])),
  );
  return server;
});

const server = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method ?? 'POST',
    headers: incoming.headers as Record<string, string>,
    body: Buffer.concat(chunks),
  });
  const response = await handler.fetch(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () =>
  announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
