import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import { ConfigError } from '#contract/config/config';
import { type Outbound, OutboundError, type OutboundFault } from '#contract/house/outbound';
import { HostTurns } from '../../../../runtime/outbound/strangers/host-turns.ts';
import { createStrangers } from '../../../../runtime/outbound/strangers/index.ts';
import { KeptDocuments } from '../../../../runtime/outbound/strangers/kept-documents.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const guarded = createStrangers({
  outboundAllow: [],
  allowInsecureFetch: false,
  nodeEnv: 'production',
});
const open = createStrangers({
  outboundAllow: [],
  allowInsecureFetch: true,
  nodeEnv: 'development',
});

async function faultOf(promise: Promise<unknown>): Promise<OutboundFault> {
  const error = await promise.then(
    () => assert.fail('something came back'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof OutboundError, String(error));
  return error.fault;
}

const get = (outbound: Outbound, url: string) => outbound.fetch(url, { maxBytes: 1000 });

/** A port that counts who connects to it. */
async function startPort(t: TestContext) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, count: () => connections };
}

test('no way of writing a private address leads to it (OWASP, SSRF)', async (t) => {
  const { port, count } = await startPort(t);
  const hosts = [
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0.0.0.0', '0'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
    ...['localhost', 'LOCALHOST', '127。0。0。1', '①②⑦.0.0.1'],
  ];
  for (const host of hosts) {
    assert.equal(await faultOf(get(guarded, `https://${host}:${port}/`)), 'refused', host);
  }
  for (const host of [
    '169.254.169.254',
    '10.0.0.1',
    '[::ffff:10.0.0.1]',
    '[fd00::1]',
    '100.64.0.1',
  ]) {
    assert.equal(await faultOf(get(guarded, `https://${host}/`)), 'refused', host);
  }
  assert.equal(count(), 0);
});

test('nothing but https without a user name is fetched', async () => {
  for (const url of [
    'http://example.org/',
    'http://127.0.0.1/',
    'https://user@example.org/',
    'https://:word@example.org/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'ftp://example.org/',
    '/relative',
    '',
  ]) {
    assert.equal(await faultOf(get(guarded, url)), 'refused', url);
  }
});

test('in development this machine may be fetched from without TLS, and nothing else', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, { a: 1 }));
  const answer = await get(open, `${url}/x?y=1`);
  assert.equal(answer.status, 200);
  assert.equal(Buffer.from(answer.body).toString(), '{"a":1}');
  assert.equal(seen[0]?.url, '/x?y=1');
  assert.equal(seen[0]?.headers['authorization'], undefined);
  assert.equal(seen[0]?.headers['cookie'], undefined);
  assert.equal(await faultOf(get(open, 'http://10.0.0.1/')), 'refused');
  assert.equal(await faultOf(get(open, 'https://10.0.0.1/')), 'refused');
  assert.throws(
    () => createStrangers({ outboundAllow: [], allowInsecureFetch: true, nodeEnv: 'production' }),
    ConfigError,
  );
});

test('a redirection is an answer, and its target is not asked', async (t) => {
  const target = await startPort(t);
  const { url } = await startUpstream(t, (response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end(),
  );
  assert.equal((await get(open, url)).status, 302);
  assert.equal(await faultOf(open.document(url, rules)), 'unusable');
  assert.equal(target.count(), 0);
});

test('a form is sent as one', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}));
  await open.fetch(url, {
    form: { a: 'b c', d: '&' },
    headers: { authorization: 'Basic eA==' },
    maxBytes: 10,
  });
  assert.equal(seen[0]?.method, 'POST');
  assert.equal(seen[0]?.body, 'a=b+c&d=%26');
  assert.equal(seen[0]?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(seen[0]?.headers['authorization'], 'Basic eA==');
});

test('an answer that is too large or never ends is given up', async (t) => {
  const large = await startUpstream(t, (response) => response.end('x'.repeat(2000)));
  assert.equal(await faultOf(get(open, large.url)), 'too_large');
  const silent = await startUpstream(t, () => {});
  assert.equal(await faultOf(open.fetch(silent.url, { maxBytes: 10, timeoutMs: 50 })), 'timeout');
  const { port } = await startPort(t);
  assert.equal(await faultOf(get(open, `http://127.0.0.1:${port}/`)), 'unreachable');
});

const rules = { maxBytes: 1000, keepMs: { least: 60_000, most: 120_000 } };

test('only a JSON object with status 200 is a document', async (t) => {
  const { url } = await startUpstream(t, (response, { url: path }) => {
    if (path === '/ok') return sendJson(response, { a: 1 });
    if (path === '/missing') return sendJson(response, { a: 1 }, 404);
    if (path === '/list') return sendJson(response, [1]);
    if (path === '/html') return response.writeHead(200, { 'content-type': 'text/html' }).end('{}');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{');
  });
  assert.deepEqual((await open.document(`${url}/ok`, rules)).value, { a: 1 });
  for (const path of ['/missing', '/list', '/html', '/broken']) {
    assert.equal(await faultOf(open.document(url + path, rules)), 'unusable', path);
  }
});

test('a document is fetched once for all who ask, and again for who needs a newer one', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}));
  const all = await Promise.all(Array.from({ length: 20 }, () => open.document(url, rules)));
  assert.equal(seen.length, 1);
  const [{ fetchedAt } = { fetchedAt: 0 }] = all;
  await open.document(url, { ...rules, since: fetchedAt });
  assert.equal(seen.length, 1);
  await open.document(url, { ...rules, since: fetchedAt + 1 });
  assert.equal(seen.length, 2);
});

test('what Cache-Control asks for is kept within bounds', async () => {
  let now = 0;
  let fetched = 0;
  let control = '';
  const documents = new KeptDocuments(
    async () => {
      fetched += 1;
      const headers = { 'content-type': 'application/json', 'cache-control': control };
      return { status: 200, headers, body: Buffer.from('{}') };
    },
    new HostTurns(false, () => now).of('default'),
    () => now,
  );
  for (const [asked, keptMs] of [
    ['no-store', 60_000],
    ['max-age=1', 60_000],
    ['public, max-age=90', 90_000],
    ['max-age=86400', 120_000],
  ] as const) {
    control = asked;
    now += 1_000_000;
    fetched = 0;
    await documents.document('https://a.example/', rules);
    now += keptMs - 1;
    await documents.document('https://a.example/', rules);
    assert.equal(fetched, 1, asked);
    now += 1;
    await documents.document('https://a.example/', rules);
    assert.equal(fetched, 2, asked);
  }
});

test('a failure is remembered only for who says so', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}, 500));
  for (let times = 0; times < 2; times += 1) {
    await faultOf(open.document(url, { ...rules, failureMs: 600_000 }));
  }
  assert.equal(seen.length, 1);
  await faultOf(open.document(url, rules));
  assert.equal(seen.length, 2);
});

test('one host is not flooded through this server', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}));
  const faults = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      open.document(`${url}/${index}`, rules).then(
        () => 'none',
        (error: OutboundError) => error.fault,
      ),
    ),
  );
  assert.ok(seen.length <= 33, String(seen.length));
  assert.equal(faults.filter((fault) => fault === 'busy').length, 200 - seen.length);
});

test('a tenant whose documents never come leaves turns to the others', () => {
  const turns = new HostTurns(true, () => 0);
  const [ours, theirs] = [turns.of('ours'), turns.of('theirs')];
  const leave = Array.from({ length: 16 }, (_, index) => ours.enter(`https://${index}.example/`));
  assert.throws(() => ours.enter('https://more.example/'), { fault: 'busy' });
  theirs.enter('https://keys.example/')();
  leave[0]?.();
  ours.enter('https://more.example/')();
  // What one of them has fetched from a host does not count for another.
  for (let times = 0; times < 30; times += 1) ours.enter('https://keys.example/')();
  assert.throws(() => ours.enter('https://keys.example/'), { fault: 'busy' });
  theirs.enter('https://keys.example/')();
});

test('each tenant keeps documents of its own', async (t) => {
  const { url, seen } = await startUpstream(t, (response) => sendJson(response, {}));
  for (const tenant of ['ours', 'theirs', 'ours', 'theirs']) {
    await open.of(tenant).document(url, rules);
  }
  assert.equal(seen.length, 2);
});
