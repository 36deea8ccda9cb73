import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { request } from 'undici';
import { EventStreams } from '../../../runtime/mcp/event-streams.ts';

test('an open stream is kept open by comments, which are no events', async (t) => {
  const streams = new EventStreams(10);
  const server = createServer((_request, response) => streams.open(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { headers, body } = await request(`http://127.0.0.1:${port}/`);
  assert.equal(headers['content-type'], 'text/event-stream');
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > 30) break;
  }
  assert.match(text, /^(: keep-alive\n\n)+$/);
});
