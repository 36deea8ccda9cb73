import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { pino } from 'pino';
import { presencePath } from '../../../runtime/stdio/local-server.ts';
import { Upstream } from '../../../runtime/stdio/upstream.ts';
import { dataFolder } from './data-folder.ts';

test('more requests at once than the queue of the socket holds are all answered', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(dataDir, { recursive: true });
  const socket = join(dataDir, 'small.sock');
  const server = createServer(({ url }, response) => {
    if (url === presencePath) response.flushHeaders();
    else response.end();
  });
  // Nobody is taken from the queue while the requests below are sent, for they are in this process.
  await once(server.listen({ path: socket, backlog: 1 }), 'listening');
  writeFileSync(
    join(dataDir, 'server.json'),
    JSON.stringify({ socket, pid: process.pid, version: '1' }),
  );
  const noStart = () => assert.fail('there is a server already');
  const upstream = new Upstream(dataDir, pino({ level: 'silent' }), noStart);
  t.after(() => {
    upstream.close();
    server.closeAllConnections();
    server.close();
  });
  await upstream.connect();
  const sent = Array.from({ length: 50 }, () => upstream.send({ method: 'POST' }));
  for (const answer of await Promise.all(sent)) {
    assert.equal(answer.statusCode, 200);
    answer.resume();
  }
});
