import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { NatsLink } from '../../../runtime/bus/nats/nats-connection.ts';

/** The first words of a NATS server (client protocol: INFO, PING and PONG), and nothing else. */
async function startGreeter(t: TestContext): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write('INFO {"server_id":"test","version":"2.15.2","max_payload":1048576}\r\n');
    socket.on('data', (data) => {
      if (String(data).includes('PING')) socket.write('PONG\r\n');
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

test('a link that stops while its server goes away ends nothing but itself', async (t) => {
  const { url, sockets } = await startGreeter(t);
  const link = new NatsLink({ servers: url }, () => {});
  t.after(() => link.stop());
  link.start();
  const { connection } = await link.whenConnected();
  // The client closes its side as soon as the server has closed its own.
  const { socket } = (connection as unknown as { protocol: { transport: { socket: Socket } } })
    .protocol.transport;
  const end = socket.end.bind(socket);
  const stopped = new Promise<void>((resolve, reject) => {
    socket.end = () => {
      end();
      connection.publish('service.test', 'the last word');
      // What the socket says of that would end this process if nobody heard it.
      queueMicrotask(() => link.stop().then(resolve, reject));
      return socket;
    };
  });
  sockets[0]?.end();
  await stopped;
  assert.equal(connection.isClosed(), true);
});
