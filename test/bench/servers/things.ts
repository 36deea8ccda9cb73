import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from './announce.ts';

/** A vendor that answers one small object, whatever is asked. */
const thing = JSON.stringify({
  id: 'a1',
  name: 'A thing',
  state: 'open',
  owner: { id: 7, login: 'someone' },
  labels: ['one', 'two'],
  updated_at: '2026-11-01T00:00:00Z',
});

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(thing);
});
server.listen(0, '127.0.0.1', () =>
  announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
