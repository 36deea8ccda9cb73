import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from './announce.ts';

/** Takes whatever it is sent, as a collector does, and keeps nothing of it. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
