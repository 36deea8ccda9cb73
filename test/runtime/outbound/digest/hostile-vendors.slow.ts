import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startUpstream } from '../upstream.ts';
import { hostileAnswers, mostBytes, written } from './hostile-answers.ts';
import { type WatchedServer, watchedServer } from './watched-server.ts';

interface Sent {
  readonly type: string;
  readonly body: Buffer;
}

/** A server whose vendor sends whatever it is told to: by turns compressed and as it is. */
async function attacked(t: TestContext) {
  let sent: Sent = { type: 'application/json', body: Buffer.from('{}') };
  let packed = gzipSync(sent.body);
  const { url } = await startUpstream(t, (response, _, count) => {
    const { type, body } = sent;
    const isPacked = count % 2 === 0;
    const headers = { 'content-type': type, ...(isPacked && { 'content-encoding': 'gzip' }) };
    response.writeHead(200, headers).end(isPacked ? packed : body);
  });
  const server = await watchedServer(t, {
    SERVICE_PROVIDER: 'osv',
    SERVICE_PROVIDER_OSV_URL: url,
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
  });
  const send = (what: Sent) => {
    sent = what;
    packed = gzipSync(what.body);
  };
  // What is loaded with the first answer, and with the first large one, is loaded.
  await server.call('osv_get', { id: 'first' });
  send({ type: 'application/json', body: Buffer.from(`{"id":"${'x'.repeat(mostBytes / 2)}"}`) });
  await server.call('osv_get', { id: 'first large' });
  return { server, send };
}

/** Milliseconds of processor time that this machine takes to parse such an answer as a whole. */
function wholeParse(): number {
  const text = `[{}${',{}'.repeat(mostBytes / 3 - 2)}]`;
  const before = process.threadCpuUsage();
  JSON.parse(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Be another caller for as long as `work` goes on. */
async function pinged(server: WatchedServer, work: Promise<unknown>): Promise<void> {
  let goesOn = true;
  const over = work.finally(() => {
    goesOn = false;
  });
  while (goesOn) {
    const answer = await fetch(new URL('/healthz', server.url));
    await answer.arrayBuffer();
    assert.equal(answer.status, 200);
  }
  await over;
}

test('no answer of a vendor stops the server, holds others up or takes the memory', async (t) => {
  const { server, send } = await attacked(t);
  const most = wholeParse() / 20;
  for (const [name, answer] of Object.entries(hostileAnswers)) {
    await t.test(name, async () => {
      send({ type: answer.type, body: written(answer) });
      const { resident } = await server.watched();
      const turns: number[] = [];
      let peak = resident;
      // Other work of the machine lengthens a turn now and then, the answer itself each time.
      do {
        const ids = [`${name} a ${turns.length}`, `${name} b ${turns.length}`];
        const calls = Promise.all(ids.map((id) => server.call('osv_get', { id })));
        await pinged(server, calls);
        for (const text of await calls) assert.ok(answer.told.test(text), text.slice(0, 500));
        const watched = await server.watched();
        turns.push(watched.longestTurn);
        peak = Math.max(peak, watched.peak);
      } while (Math.min(...turns) >= most && turns.length < 5);
      assert.ok(Math.min(...turns) < most, `${turns} ms at once, ${most} ms are allowed`);
      assert.ok(peak - resident < 10 * mostBytes, `${peak - resident} bytes more`);
    });
  }
});
