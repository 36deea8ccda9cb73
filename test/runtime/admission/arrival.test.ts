import assert from 'node:assert/strict';
import { hash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { Agent, request } from 'undici';
import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Route } from '#contract/surface/route';
import type { Tool } from '#contract/tool';
import { HttpArrival } from '../../../runtime/admission/http-arrival.ts';
import { type ServerOptions, startInMemoryServer } from '../in-memory-server.ts';

const route: Route = {
  name: 'readThing',
  method: 'GET',
  path: '/things',
  access: 'public',
  responses: { 200: { contentType: 'application/json' } },
};

const tool: Tool = {
  definition: {
    name: 'who_am_i',
    description: 'Says who calls',
    annotations: { readOnlyHint: true, openWorldHint: false },
    access: 'public',
    input: { type: 'object', properties: {}, additionalProperties: false },
  },
  async call(_, { caller, http }) {
    const text = `${caller.subject} ${http?.method} ${http?.url}`;
    return { content: [{ type: 'text', text }] };
  },
};

/** What each arrival says, at the time at which somebody has to be recognized. */
function facts({ transport, method, url, headers, isLocal, address, tls }: Arrival) {
  return { transport, method, url, token: headers['authorization'], isLocal, address, tls };
}

const somebody = { tenant: 't', client: 'c', scopes: new Set<string>() };

function callerOf({ headers, transport }: Arrival): Caller {
  const subject = headers['authorization'];
  if (typeof subject === 'string') return { ...somebody, subject, transport };
  throw new ServiceError('unauthorized', 401, 'say who you are');
}

async function start(t: TestContext, options: ServerOptions = {}) {
  const seen: ReturnType<typeof facts>[] = [];
  const authenticate = (arrival: Arrival) => {
    seen.push(facts(arrival));
    return callerOf(arrival);
  };
  const handle = async () => ({ status: 200, body: {} });
  const routes = [{ route, handle }];
  const url = await startInMemoryServer(t, { authenticate, routes, tools: [tool], ...options });
  return { url, seen };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function callTool(url: URL, headers: Record<string, string>) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'who_am_i',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'who_am_i', arguments: {}, _meta: meta },
    }),
  });
  return { status: statusCode, headers: answered, text: await body.text() };
}

test('authentication of a route sees method, address, headers and peer', async (t) => {
  const { url, seen } = await start(t);
  const authorization = 'Bearer abc';
  const there = new URL('/things?a=%20b', url);
  const { statusCode } = await request(there, { headers: { authorization } });
  assert.equal(statusCode, 200);
  const expected = { transport: 'http', method: 'GET', url: '/things?a=%20b', isLocal: false };
  const peer = { token: authorization, address: '127.0.0.1', tls: undefined };
  assert.deepEqual(seen, [{ ...expected, ...peer }]);
});

test('who is nobody known gets 401 with a challenge, over HTTP and over MCP (RFC 6750 section 3)', async (t) => {
  const { url } = await start(t);
  const plain = await request(new URL('/things', url));
  assert.equal(plain.statusCode, 401);
  assert.match(String(plain.headers['www-authenticate']), /^Bearer/);
  assert.equal((await callTool(url, {})).status, 401);
  assert.match(String((await callTool(url, {})).headers['www-authenticate']), /^Bearer/);
});

for (const late of [false, true]) {
  const when = late ? 'later' : 'at once';
  test(`a tool sees the caller that is known ${when}, and the request`, async (t) => {
    const authenticate = (arrival: Arrival) =>
      late ? Promise.resolve().then(() => callerOf(arrival)) : callerOf(arrival);
    const { url } = await start(t, { authenticate });
    const { status, text } = await callTool(url, { authorization: 'somebody' });
    assert.equal(status, 200);
    assert.match(text, /somebody POST \/mcp/);
    assert.equal((await callTool(url, {})).status, 401);
    const { statusCode } = await request(new URL('/things', url));
    assert.equal(statusCode, 401);
  });
}

test('each request of a session says anew who sends it', async (t) => {
  const { url, seen } = await start(t, { sessions: {} });
  const send = (message: object, headers: Record<string, string>) =>
    request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  const initialize = { id: 1, method: 'initialize', params };
  const opened = await send(initialize, { authorization: 'one' });
  await opened.body.text();
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const callIt = { id: 2, method: 'tools/call', params: { name: 'who_am_i', arguments: {} } };
  const answer = await send(callIt, { ...session, authorization: 'one' });
  assert.match(await answer.body.text(), /one POST \/mcp/);
  const another = await send(callIt, { ...session, authorization: 'two' });
  assert.equal(another.statusCode, 404, 'the session of somebody else');
  assert.equal((await send(callIt, session)).statusCode, 401);
  assert.deepEqual(
    seen.map(({ token }) => token),
    ['one', 'one', 'two', undefined],
  );
});

test('over TLS, authentication sees the protocol and the certificate of the client', async (t) => {
  const pem = readFileSync(new URL('../outbound/connection/loopback.pem', import.meta.url), 'utf8');
  const seen: ReturnType<typeof facts>[] = [];
  const tls = { key: pem, cert: pem, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (incoming, response) => {
    seen.push(facts(new HttpArrival(incoming, 'http')));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const shown = new Agent({ connect: { rejectUnauthorized: false, key: pem, cert: pem } });
  const hidden = new Agent({ connect: { rejectUnauthorized: false } });
  t.after(async () => {
    await Promise.all([shown.close(), hidden.close()]);
    server.close();
  });
  for (const dispatcher of [shown, hidden]) await request(url, { dispatcher });
  const [withOne, without] = seen.map(({ tls: known }) => known);
  assert.equal(withOne?.protocol, 'TLSv1.3');
  const { der = new Uint8Array(), subject, isTrusted } = withOne?.certificate ?? {};
  const { raw, subject: wanted } = new X509Certificate(pem);
  assert.equal(hash('sha256', der, 'hex'), hash('sha256', raw, 'hex'));
  assert.equal(subject, wanted);
  assert.equal(isTrusted, false, 'no authority that is known here has signed it');
  assert.equal(without?.protocol, 'TLSv1.3');
  assert.equal(without?.certificate, undefined);
});
