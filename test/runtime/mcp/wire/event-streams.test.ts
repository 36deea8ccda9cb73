import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { request } from 'undici';
import { EventStreams, mostOfNotices } from '../../../../runtime/mcp/wire/event-streams.ts';

/** A server that gives each request a stream, and hands its response to the test. */
async function serve(t: TestContext, streams: EventStreams) {
  const opened = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    streams.open(response);
    opened.resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, opened: opened.promise };
}

test('an open stream is kept open by comments, which are no events', async (t) => {
  const { port } = await serve(t, new EventStreams(10));
  const { headers, body } = await request(`http://127.0.0.1:${port}/`);
  assert.equal(headers['content-type'], 'text/event-stream');
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > 30) break;
  }
  assert.match(text, /^(: keep-alive\n\n)+$/);
});

test('a client that does not read loses its stream before much waits for it', async (t) => {
  const streams = new EventStreams();
  const { port, opened } = await serve(t, streams);
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const response = await opened;
  const notice = 'x'.repeat(1000);
  let most = 0;
  while (!response.destroyed) {
    streams.send(response, notice, mostOfNotices);
    most = Math.max(most, response.writableLength);
    await nextTurn();
  }
  assert.ok(most > mostOfNotices && most < mostOfNotices + 2000);
});

test('a client that reads gets a message however large it is', async (t) => {
  const streams = new EventStreams();
  const { port, opened } = await serve(t, streams);
  const answered = request(`http://127.0.0.1:${port}/`);
  const response = await opened;
  const large = 'x'.repeat(20_000_000);
  streams.send(response, large);
  response.end();
  const { body } = await answered;
  assert.equal(await body.text(), `event: message\ndata: ${large}\n\n`);
});
