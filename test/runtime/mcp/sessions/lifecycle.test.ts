import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { request } from 'undici';
import { startInMemory, startInMemoryServer } from '../../in-memory-server.ts';
import { echo, toolOf } from '../../in-memory-tools.ts';
import { legacy, modern, rpc } from '../rpc.ts';
import { inSession, open, opening, say, stream, version } from './session.ts';

// MCP 2025-11-25, transports, session management.

const sessions = {};
const call = { method: 'tools/call', params: { name: 'test_echo', arguments: { text: 'hi' } } };

test('initialize opens a session whose id has at least 128 random bits in visible ASCII', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const [one, two] = [await open(url), await open(url)];
  assert.notEqual(one, two);
  for (const id of [one, two]) assert.match(id, /^[\w-]{22,}$/);
});

test('what a session can do stands in its handshake', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const { body } = await legacy(url, opening);
  assert.deepEqual(body.result?.['capabilities'], { tools: { listChanged: true }, logging: {} });
  assert.equal(body.result?.['protocolVersion'], version);
});

test('a version that is not served here is answered with the newest one of the era', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const params = { ...opening.params, protocolVersion: '2024-11-05' };
  const { body } = await legacy(url, { ...opening, params });
  assert.equal(body.result?.['protocolVersion'], version);
});

test('a call in a session is answered as without one', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools: [echo] });
  const { status, body } = await say(url, await open(url), call);
  assert.equal(status, 200);
  assert.deepEqual(body.result?.['structuredContent'], { text: 'hi' });
});

test('without a session everything but initialize is 400', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools: [echo] });
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accept = 'application/json, text/event-stream';
  for (const { status, body } of [await legacy(url, call), await rpc(url, note, { accept })]) {
    assert.equal(status, 400);
    assert.match(body.error?.message ?? '', /^a session begins with initialize/);
  }
});

test('a session that does not exist is 404, for every method', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const headers = inSession('no-such-session');
  assert.equal((await say(url, 'no-such-session', { method: 'ping' })).status, 404);
  assert.equal((await say(url, 'no-such-session', opening)).status, 404);
  assert.equal((await stream(t, url, headers)).status, 404);
  assert.equal((await request(url, { method: 'DELETE', headers })).statusCode, 404);
});

test('DELETE ends a session: what follows is 404', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const id = await open(url);
  const ended = await request(url, { method: 'DELETE', headers: inSession(id) });
  assert.equal(ended.statusCode, 204);
  assert.equal((await say(url, id, { method: 'ping' })).status, 404);
});

test('DELETE ends the streams of its session, and aborts its calls', async (t) => {
  let aborted: Promise<unknown> | undefined;
  const endless = toolOf({ name: 'endless' }, async (_args, { signal }) => {
    aborted = once(signal, 'abort');
    await aborted;
    throw signal.reason;
  });
  const url = await startInMemoryServer(t, { sessions, tools: [endless] });
  const id = await open(url);
  const listening = await stream(t, url, inSession(id));
  await listening.next();
  const calling = await stream(t, url, post(id, { ...call, params: { name: 'endless' } }));
  await calling.next();
  await request(url, { method: 'DELETE', headers: inSession(id) });
  assert.equal(await listening.next(), undefined);
  assert.equal(await calling.next(), undefined);
  assert.ok(aborted);
  await aborted;
});

function post(id: string, message: object): Record<string, string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return { method: 'POST', 'content-type': 'application/json', body, ...inSession(id) };
}

test('GET opens one stream of a session: a second one is 409', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const id = await open(url);
  const first = await stream(t, url, inSession(id));
  assert.equal(first.status, 200);
  assert.equal((await stream(t, url, inSession(id))).status, 409);
});

test('GET without text/event-stream in Accept is 406', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const headers = { ...inSession(await open(url)), accept: 'application/json' };
  assert.equal((await stream(t, url, headers)).status, 406);
});

test('other methods of HTTP are 405 and are told which ones there are', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const { statusCode, headers } = await request(url, { method: 'PUT' });
  assert.equal(statusCode, 405);
  assert.equal(headers['allow'], 'GET, POST, DELETE');
});

test('a version that is not served is 400 in a session too', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const id = await open(url);
  const { status, body } = await say(
    url,
    id,
    { method: 'ping', id: 'spoken' },
    { 'mcp-protocol-version': '2024-11-05' },
  );
  assert.equal(status, 400);
  assert.equal(body.id, 'spoken');
});

test('a session is of use to nobody but the caller that opened it', async (t) => {
  const subjects = ['alice', 'mallory', 'alice'];
  const url = await startInMemoryServer(t, {
    sessions,
    authenticate: () => ({
      tenant: 'default',
      subject: subjects.shift() ?? '',
      client: 'test',
      scopes: 'all',
      transport: 'mcp',
    }),
  });
  const id = await open(url);
  assert.equal((await say(url, id, { method: 'ping' })).status, 404);
  assert.equal((await say(url, id, { method: 'ping' })).status, 200);
});

test('each call has the rights of the token that it came with', async (t) => {
  const scopes = [new Set(['mcp.tools']), new Set<string>()];
  const url = await startInMemoryServer(t, {
    sessions,
    tools: [echo],
    authenticate: () => ({
      tenant: 'default',
      subject: 'alice',
      client: 'test',
      scopes: scopes.shift() ?? new Set(),
      transport: 'mcp',
    }),
  });
  const { body } = await say(url, await open(url), call);
  assert.equal(body.error?.code, -31403);
});

test('a session is opened once', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const { status, body } = await say(url, await open(url), opening);
  assert.equal(status, 400);
  assert.equal(body.error?.code, -31400);
  assert.equal(body.id, 1);
});

for (const left of ['protocolVersion', 'capabilities', 'clientInfo']) {
  test(`initialize without ${left} is -32602 and opens nothing`, async (t) => {
    const url = await startInMemoryServer(t, { sessions });
    const params = { ...opening.params, [left]: undefined };
    const { headers, body } = await legacy(url, { ...opening, params });
    assert.equal(body.error?.code, -32602);
    assert.match(body.error.message, new RegExp(left));
    assert.equal('mcp-session-id' in headers, false);
  });
}

test('an id that is in use is 400', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = toolOf({ name: 'waiting' }, async () => {
    await promise;
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { sessions, tools: [waiting] });
  const id = await open(url);
  const first = await stream(t, url, post(id, { ...call, params: { name: 'waiting' } }));
  const { status, body } = await say(url, id, { method: 'ping', id: 1 });
  assert.equal(status, 400);
  assert.match(body.error?.message ?? '', /id/);
  resolve();
  await first.next();
  assert.match((await first.next())?.data ?? '', /"result"/);
});

test('bodies are bounded, and batches refused, before anything of a session sees them', async (t) => {
  const url = await startInMemoryServer(t, { sessions, maxBodyBytes: 1024 });
  const id = await open(url);
  const long = { method: 'ping', params: { text: 'x'.repeat(2000) } };
  assert.equal((await say(url, id, long)).status, 413);
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'ping' }];
  const accept = 'application/json, text/event-stream';
  assert.equal((await rpc(url, batch, { accept, ...inSession(id) })).status, 400);
});

test('an answer to a question that nobody asked is 202, and nothing happens', async (t) => {
  const url = await startInMemoryServer(t, { sessions });
  const id = await open(url);
  const answer = { jsonrpc: '2.0', id: 99, result: {} };
  const accept = 'application/json, text/event-stream';
  assert.equal((await rpc(url, answer, { accept, ...inSession(id) })).status, 202);
  assert.equal((await rpc(url, answer, { accept })).status, 400);
  assert.equal((await rpc(url, answer, { 'mcp-protocol-version': '2026-07-28' })).status, 400);
});

test('requests of the newest revision know no sessions, even with the id of one', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools: [echo] });
  const id = await open(url);
  for (const headers of [{}, { 'mcp-session-id': id }, { 'mcp-session-id': 'no-such' }]) {
    const { status, headers: received, body } = await modern(url, call, headers);
    assert.equal(status, 200);
    assert.equal(body.result?.['resultType'], 'complete');
    assert.equal('mcp-session-id' in received, false);
  }
});

test('the tasks of 2025-11-25 that a request asks for are ignored', async (t) => {
  const url = await startInMemoryServer(t, { sessions, tools: [echo] });
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'x' } };
  const params = { ...call.params, task: { ttl: 1000 }, _meta };
  const { body } = await say(url, await open(url), { ...call, params });
  assert.deepEqual(body.result?.['structuredContent'], { text: 'hi' });
});

test('a caller with as many sessions as it may have loses the one that it used least', async (t) => {
  const url = await startInMemoryServer(t, { sessions: { limit: 2 } });
  const [one, two] = [await open(url), await open(url)];
  assert.equal((await say(url, one, { method: 'ping' })).status, 200);
  const three = await open(url);
  assert.equal((await say(url, two, { method: 'ping' })).status, 404);
  for (const id of [one, three]) {
    assert.equal((await say(url, id, { method: 'ping' })).status, 200);
  }
});

test('a session in use is not ended for another one: 429', async (t) => {
  const url = await startInMemoryServer(t, { sessions: { limit: 1 } });
  const listening = await stream(t, url, inSession(await open(url)));
  await listening.next();
  const { status, headers, body } = await legacy(url, opening);
  assert.equal(status, 429);
  assert.equal(headers['retry-after'], '5');
  assert.match(body.error?.message ?? '', /one caller may have 1 session/);
});

test('a session that nobody uses ends', async (t) => {
  const url = await startInMemoryServer(t, { sessions: { idleMs: 40 } });
  const id = await open(url);
  // Where the machine is slow, it may end before its client listens.
  let listening: string;
  let listened: Awaited<ReturnType<typeof stream>>;
  do {
    listening = await open(url);
    listened = await stream(t, url, inSession(listening));
  } while (listened.status === 404);
  await listened.next();
  let status = 200;
  while (status === 200) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 100);
    await promise;
    status = (await say(url, id, { method: 'ping' })).status;
  }
  assert.equal(status, 404);
  assert.equal((await say(url, listening, { method: 'ping' })).status, 200);
});

test('when the server stops, sessions end, each after the answers that it owes', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = toolOf({ name: 'waiting' }, async () => {
    await promise;
    return { content: [{ type: 'text', text: 'finished' }] };
  });
  const { url, mcp, server } = await startInMemory(t, { sessions, tools: [waiting] });
  const [idle, busy] = [await open(url), await open(url)];
  const listening = await stream(t, url, inSession(idle));
  await listening.next();
  const calling = await stream(t, url, post(busy, { ...call, params: { name: 'waiting' } }));
  await calling.next();
  mcp.drain();
  assert.equal(await listening.next(), undefined);
  assert.equal((await say(url, idle, { method: 'ping' })).status, 404);
  assert.equal((await legacy(url, opening)).status, 503);
  resolve();
  assert.match((await calling.next())?.data ?? '', /finished/);
  assert.equal(await calling.next(), undefined);
  await server.close();
});

test('a call that lacks scopes is 403 with the challenge, also in a session (MCP, authorization)', async (t) => {
  const guarded = toolOf({ name: 'guarded', access: ['mcp.tools', 'acme:read'] });
  const scopes = new Set(['mcp.tools']);
  const url = await startInMemoryServer(t, {
    ...{ sessions, tools: [guarded, echo] },
    authenticate: () => ({ tenant: 't', subject: 's', client: 'c', scopes, transport: 'mcp' }),
  });
  const session = await open(url);
  const refused = await say(url, session, { method: 'tools/call', params: { name: 'guarded' } });
  assert.equal(refused.status, 403);
  const challenge = String(refused.headers['www-authenticate']);
  assert.match(challenge, /^Bearer error="insufficient_scope", scope="mcp.tools acme:read"/);
  assert.equal(refused.body.error?.code, -31403);
  assert.equal((await say(url, session, call)).status, 200, 'the session goes on');
});
