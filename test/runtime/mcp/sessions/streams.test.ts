import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Changes } from '../../../../runtime/offer/changes.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { connect, inSession, note, open, say, stream } from './session.ts';

// MCP 2025-11-25, transports: streams of a session, and how they are continued.

const sessions = {};
const watched = {
  definition: { uri: 'test://watched', name: 'watched', access: 'public' },
  read: async () => [{ uri: 'test://watched', text: 'now' }],
} as const;

/** Waits until the test says so, and tells how it goes. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = Promise.withResolvers<AbortSignal>();
  const tool = toolOf({ name: 'gate' }, async (_args, { signal, log }) => {
    log?.('info', 'waiting');
    started.resolve(signal);
    await Promise.race([promise, once(signal, 'abort')]);
    return { content: [{ type: 'text', text: 'through' }] };
  });
  return { tool, open: resolve, started: started.promise };
}

function calling(id: string, name = 'gate'): Record<string, string> {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name } };
  const headers = { method: 'POST', 'content-type': 'application/json', ...inSession(id) };
  return { ...headers, body: JSON.stringify(body) };
}

test('a client hears of changed lists and of the resources that it watches', async (t) => {
  const changes = new Changes();
  const url = await startInMemoryServer(t, { sessions, changes, resources: [watched] });
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  const { client } = await connect(t, url, {
    prepare(client) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        heard.push(params.uri);
      });
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        heard.push('tools');
        all.resolve();
      });
    },
  });
  await client.subscribeResource({ uri: 'test://watched' });
  // The stream of the client opens by itself at some time after the handshake.
  while (heard.length === 0) {
    changes.emit('resource', 'test://watched');
    await sleep(5);
  }
  await client.unsubscribeResource({ uri: 'test://watched' });
  heard.length = 0;
  changes.emit('resource', 'test://watched');
  changes.emit('tools', undefined);
  await all.promise;
  assert.deepEqual(heard, ['tools']);
});

test('a resource that does not exist cannot be watched: -32002', async (t) => {
  const url = await startInMemoryServer(t, { sessions, resources: [watched] });
  const params = { uri: 'test://nowhere' };
  const { body } = await say(url, await open(url), { method: 'resources/subscribe', params });
  assert.equal(body.error?.code, -32002);
});

test('messages of a call come on its stream, as severe as the client wants them', async (t) => {
  const talking = toolOf({ name: 'talking' }, async (_args, { log }) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) log?.(level, level);
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { sessions, tools: [talking] });
  const heard: unknown[] = [];
  const { client } = await connect(t, url, {
    prepare: (client) =>
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        heard.push(params.data);
      }),
  });
  await client.callTool({ name: 'talking' });
  await client.setLoggingLevel('error');
  await client.callTool({ name: 'talking' });
  assert.deepEqual(heard, ['info', 'warning', 'error', 'error']);
  const { body } = await say(url, await open(url), {
    method: 'logging/setLevel',
    params: { level: 'loud' },
  });
  assert.equal(body.error?.code, -32602);
});

test('progress comes on the stream of the call that asked for it', async (t) => {
  const counting = toolOf({ name: 'counting' }, async (_args, { progress }) => {
    for (const done of [1, 2, 2, 3]) progress?.(done, 3);
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { sessions, tools: [counting] });
  const { client } = await connect(t, url);
  const heard: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
  await client.callTool({ name: 'counting' }, undefined, { onprogress });
  await client.callTool({ name: 'counting' });
  assert.deepEqual(heard, [1, 2, 3]);
});

test('notifications/cancelled aborts the call, and its stream ends without a result', async (t) => {
  const { tool, started } = gate();
  const url = await startInMemoryServer(t, { sessions, tools: [tool] });
  const id = await open(url);
  const { next } = await stream(t, url, calling(id));
  const signal = await started;
  await note(url, id, 'notifications/cancelled', { requestId: 7 });
  const events: string[] = [];
  for (let event = await next(); event; event = await next()) events.push(event.data);
  assert.ok(signal.aborted);
  assert.ok(events.every((data) => !data.includes('"result"')));
  assert.match(events.at(-1) ?? '', /"id":7.*the request was cancelled/);
});

test('a call goes on when its connection is cut, and its answer is there for Last-Event-ID', async (t) => {
  const { tool, open: letThrough, started } = gate();
  const url = await startInMemoryServer(t, { sessions, tools: [tool] });
  const id = await open(url);
  const first = await stream(t, url, calling(id));
  const mark = await first.next();
  assert.equal(mark?.data, '');
  const waiting = await first.next();
  assert.match(waiting?.data ?? '', /waiting/);
  await started;
  first.cut();

  const continued = await stream(t, url, { ...inSession(id), 'last-event-id': waiting?.id ?? '' });
  assert.equal(continued.status, 200);
  letThrough();
  assert.match((await continued.next())?.data ?? '', /through.*"id":7/);
  assert.equal(await continued.next(), undefined);

  // Once more, from the beginning, when everything is over.
  const again = await stream(t, url, { ...inSession(id), 'last-event-id': mark?.id ?? '' });
  assert.match((await again.next())?.data ?? '', /waiting/);
  assert.match((await again.next())?.data ?? '', /through.*"id":7/);
  assert.equal(await again.next(), undefined);
});

test('what a client missed while its stream was cut is sent when it comes back', async (t) => {
  const changes = new Changes();
  const url = await startInMemoryServer(t, { sessions, changes, resources: [watched] });
  const id = await open(url);
  await note(url, id, 'notifications/initialized');
  const first = await stream(t, url, inSession(id));
  const mark = await first.next();
  assert.equal(mark?.data, '');
  first.cut();
  changes.emit('tools', undefined);
  changes.emit('resources', undefined);
  const second = await stream(t, url, { ...inSession(id), 'last-event-id': mark?.id ?? '' });
  assert.match((await second.next())?.data ?? '', /tools\/list_changed/);
  assert.match((await second.next())?.data ?? '', /resources\/list_changed/);
  changes.emit('tools', undefined);
  assert.match((await second.next())?.data ?? '', /tools\/list_changed/);
});

for (const last of ['', 'x', '99-1', '0-99999999999999']) {
  test(`the Last-Event-ID ${JSON.stringify(last)} is 400`, async (t) => {
    const url = await startInMemoryServer(t, { sessions });
    const headers = { ...inSession(await open(url)), 'last-event-id': last };
    assert.equal((await stream(t, url, headers)).status, 400);
  });
}

test('the events of one session are of no use in another', async (t) => {
  const { tool, open: letThrough } = gate();
  const url = await startInMemoryServer(t, { sessions, tools: [tool] });
  const [one, two] = [await open(url), await open(url)];
  const { next } = await stream(t, url, calling(one));
  const mark = await next();
  letThrough();
  const other = { ...inSession(two), 'last-event-id': `9${mark?.id}` };
  assert.equal((await stream(t, url, other)).status, 400);
});

test('a stream that has been open long enough ends, and the client comes back for the rest', async (t) => {
  const { tool, open: letThrough, started } = gate();
  const url = await startInMemoryServer(t, { sessions: { streamMs: 50 }, tools: [tool] });
  const { client } = await connect(t, url);
  const result = client.callTool({ name: 'gate' });
  await started;
  await sleep(200);
  letThrough();
  assert.deepEqual((await result).content, [{ type: 'text', text: 'through' }]);
});

test('two clients at once hear their own answers alone', async (t) => {
  const echo = toolOf(
    { name: 'late', input: { type: 'object', properties: { of: { type: 'string' } } } },
    async ({ of }, { log }) => {
      log?.('info', String(of));
      await sleep(1);
      return { content: [{ type: 'text', text: String(of) }] };
    },
  );
  const url = await startInMemoryServer(t, { sessions, tools: [echo] });
  const rounds = Array.from({ length: 40 }, (_, index) => index);
  const run = async (name: string) => {
    const heard: unknown[] = [];
    const { client } = await connect(t, url, {
      prepare: (client) =>
        client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
          heard.push(params.data);
        }),
    });
    const calls = rounds.map((round) =>
      client.callTool({ name: 'late', arguments: { of: `${name}${round}` } }),
    );
    const texts = (await Promise.all(calls)).map(({ content }) => content);
    const wanted = rounds.map((round) => `${name}${round}`);
    assert.deepEqual(
      texts,
      wanted.map((text) => [{ type: 'text', text }]),
    );
    assert.deepEqual(heard.toSorted(), wanted.toSorted());
  };
  await Promise.all([run('a'), run('b')]);
});

test('a client that is killed in the middle of a call harms nobody', async (t) => {
  const { tool, open: letThrough, started } = gate();
  const url = await startInMemoryServer(t, { sessions: { limit: 2 }, tools: [tool] });
  const { client } = await connect(t, url);
  const script = fileURLToPath(new URL('killed-client.ts', import.meta.url));
  const killed = spawn(process.execPath, [script, url.href, 'gate'], { stdio: 'inherit' });
  await started;
  const exit = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exit;
  letThrough();
  assert.deepEqual(await client.ping(), {});
  // Its session makes room for the next one as soon as the connection is known to be gone.
  let next: string | undefined;
  while (next === undefined) {
    await sleep(5);
    next = await open(url).catch(() => undefined);
  }
  assert.deepEqual(await client.ping(), {});
});
