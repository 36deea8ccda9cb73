import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { startInMemoryServer } from '../in-memory-server.ts';
import { waiting } from '../in-memory-tools.ts';

// RFC 9112: what stands in a request before anything of it is understood.

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const routes = [
  {
    route: {
      name: 'getThing',
      method: 'GET',
      path: '/thing',
      access: 'public',
      responses: { 204: {} },
    },
    handle: async () => ({ status: 204 }),
  },
] as const;

/** Start a server; gives what sends bytes to it and reads until the server closes. */
async function start(t: TestContext, tools = [waiting(() => {})]) {
  const url = await startInMemoryServer(t, { tools, routes });
  const talk = async (bytes: string): Promise<string> => {
    const socket = connect(Number(url.port), url.hostname);
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.write(bytes);
    await once(socket, 'close');
    return Buffer.concat(received).toString();
  };
  return { url, talk };
}

function post(target: string, headers: readonly string[], body = ping): string {
  const all = ['Content-Type: application/json', `Content-Length: ${body.length}`, ...headers];
  const accept = 'Accept: application/json, text/event-stream';
  return [`POST ${target} HTTP/1.1`, accept, ...all, '', body].join('\r\n');
}

for (const target of ['POST /mcp', 'GET /thing']) {
  test(`${target} with two Host headers is 400 (section 3.2)`, async (t) => {
    const { talk } = await start(t);
    const hosts = ['Host: localhost', 'hOST: localhost'];
    const answer = await talk(`${target} HTTP/1.1\r\n${hosts.join('\r\n')}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /more than one Host header/);
  });
}

const twice: readonly [name: string, first: string, second: string][] = [
  ['Content-Type', 'application/json', 'text/plain'],
  ['Authorization', 'Bearer a', 'Bearer b'],
  ['Idempotency-Key', '"a"', '"b"'],
];
for (const target of ['POST /mcp', 'GET /thing']) {
  for (const [name, first, second] of twice) {
    test(`${target} with two values of ${name} is 400 (RFC 9110 section 5.3)`, async (t) => {
      const { talk } = await start(t);
      const sent = (...lines: string[]) =>
        talk(
          [`${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join(
            '\r\n',
          ),
        );
      const refused = await sent(
        `${name}: ${first}`,
        'X-Between: 1',
        `${name.toLowerCase()}: ${second}`,
      );
      assert.match(refused, /^HTTP\/1\.1 400 /);
      const told = `the header ${name.toLowerCase()} must come once, but it came with two values`;
      assert.ok(refused.includes(told), refused);
      assert.ok(!refused.includes(second), 'what came may be secret');
      const others = ['Accept-Language: en', 'Accept-Encoding: gzip', 'Cache-Control: no-cache'];
      const taken = await sent(`${name}: ${first}`, `${name}: ${first}`, ...others);
      assert.doesNotMatch(taken, /must come once/, 'one value twice says one thing');
    });
  }
}

test('a request target may be a whole URL (section 3.2.2)', async (t) => {
  const { url, talk } = await start(t);
  const close = ['Connection: close'];
  const answer = await talk(post(url.href, [`Host: ${url.host}`, ...close]));
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /"result":\{\}/);
  // Its host counts, and not the one of the header.
  assert.match(await talk(post(url.href, ['Host: evil.example', ...close])), /^HTTP\/1\.1 200 /);
  const foreign = post('http://evil.example/mcp', ['Host: localhost', ...close]);
  assert.match(await talk(foreign), /^HTTP\/1\.1 403 /);
  const thing = new URL('/thing?a=1', url);
  const get = `GET ${thing} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  assert.match(await talk(get), /^HTTP\/1\.1 204 /);
  const other =
    'GET ftp://localhost/thing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  assert.match(await talk(other), /^HTTP\/1\.1 404 /);
});

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_waiting"}}';

for (const [name, second] of [
  ['no HTTP', 'nonsense\r\n\r\n'],
  [
    'a request whose body is no HTTP',
    'POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
] as const) {
  test(`${name} after a request is not answered in its place (section 9.3.2)`, async (t) => {
    const stopped = Promise.withResolvers<unknown>();
    const { talk } = await start(t, [waiting(stopped.resolve)]);
    assert.equal(await talk(post('/mcp', ['Host: localhost'], call) + second), '');
    await stopped.promise;
  });
}

test('what is no HTTP after an answer is 400', async (t) => {
  const { url } = await start(t);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(post('/mcp', ['Host: localhost']));
  const [first] = await once(socket, 'data');
  assert.match(String(first), /^HTTP\/1\.1 200 /);
  socket.write('nonsense\r\n\r\n');
  const [second] = await once(socket, 'data');
  assert.match(String(second), /^HTTP\/1\.1 400 /);
  await once(socket, 'close');
});
