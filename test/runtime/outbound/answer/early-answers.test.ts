import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { path } from '#contract/path';
import { toolErrorResult } from '../../../../runtime/outbound/answer/tool-error-result.ts';
import { caller, stillClock, write } from '../harness.ts';
import { sendJson, startSocket, startUpstream } from '../upstream.ts';

// What comes before the answer, and answers that say "too early" or "not now".

const overwrite = {
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  request: () => ({ method: 'PUT', path: path`/things/1` }),
} as const;

/** A vendor that says these texts, one after the other, to each request. */
async function startSaying(t: TestContext, texts: readonly string[]) {
  const seen: string[] = [];
  const url = await startSocket(t, async (socket, request) => {
    seen.push(request);
    for (const text of texts) {
      socket.write(text);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return { url, seen };
}

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const done =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":1}';
for (const [what, texts] of [
  ['with the answer', [goOn + done]],
  ['before the answer', [goOn, done]],
  ['in parts', [goOn.slice(0, 12), goOn.slice(12), done]],
  ['twice', [goOn, goOn, done]],
  ['with headers', [goOn.replace('\r\n\r\n', '\r\nX-Proxy: 1\r\n\r\n'), done]],
] as const) {
  test(`a 100 that nobody asked for is read over: ${what} (RFC 9110, section 15.2)`, async (t) => {
    const { url, seen } = await startSaying(t, texts);
    for (const tool of [{}, write, overwrite]) {
      const { data } = caller(t, url, { tool });
      assert.deepEqual(await data(), { id: 1 });
      // The connection goes on to be good.
      assert.deepEqual(await data(), { id: 1 });
    }
    assert.equal(seen.length, 6);
  });
}

test('what answers in another protocol is not asked once more', async (t) => {
  const { url, seen } = await startSaying(t, [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: acme\r\nConnection: upgrade\r\n\r\n',
  ]);
  const { message } = await caller(t, url, { tool: overwrite }).failure();
  assert.equal(
    message,
    'Acme has answered, but with another protocol; what was asked for may have been done',
  );
  assert.equal(seen.length, 1);
});

test('what comes too early was not done, and may be asked for again (RFC 8470, section 5.2)', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}, 425));
  const options = { clock: stillClock() };
  const { code, message, detail } = await caller(t, upstream.url, {
    tool: write,
    options,
  }).failure();
  assert.deepEqual([code, message], ['upstream_error', 'Acme answered 425 (too early)']);
  assert.equal(detail.retryable, true);
  assert.equal(upstream.seen.length, 1);
  await caller(t, upstream.url, { options }).failure();
  assert.equal(upstream.seen.length, 5);
});

for (const [wait, waits] of [
  ['1', [1000]],
  ['0.5', [500]],
  ['1e3', [125]],
  ['-5', [125]],
  ['0x10', [125]],
  ['soon', [125]],
] as const) {
  test(`Retry-After: ${wait} has the next attempt wait for ${waits} ms (RFC 9110, section 10.2.3)`, async (t) => {
    const upstream = await startUpstream(t, (response, _, count) =>
      count === 1 ? sendJson(response, {}, 503, { 'retry-after': wait }) : sendJson(response, {}),
    );
    const clock = stillClock();
    await caller(t, upstream.url, { options: { clock } }).data();
    assert.deepEqual(clock.waits, waits);
  });
}

test('Retry-After in seconds since 1970 has the next attempt wait until then', async (t) => {
  const clock = stillClock(1_800_000_000_000);
  const at = '1800000002';
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1 ? sendJson(response, {}, 503, { 'retry-after': at }) : sendJson(response, {}),
  );
  await caller(t, upstream.url, { options: { clock } }).data();
  assert.deepEqual(clock.waits, [2000]);
});

const check = 'Check whether it took effect before you try again.';
const answered = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
for (const [what, answer] of [
  ['an answer that is too large', answered('200 OK', `"${'x'.repeat(5000)}"`)],
  ['broken JSON', answered('200 OK', '{"id":')],
  ['the failure of a gateway', answered('502 Bad Gateway', '{}')],
  ['what is no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['no answer', ''],
  ['half an answer', answered('200 OK', '{"id":1}').slice(0, -2)],
] as const) {
  test(`whoever gets ${what} after a write is told to look before it is asked for again`, async (t) => {
    const url = await startSocket(t, (socket) => socket.end(answer));
    const options = { limits: { responseBytes: 4000 }, clock: stillClock() };
    const told = async (tool: object) => {
      const { content } = toolErrorResult(await caller(t, url, { tool, options }).failure());
      return JSON.stringify(content);
    };
    const written = await told(write);
    assert.ok(written.includes(check), written);
    assert.doesNotMatch(written, /Ask for less|later/);
    assert.doesNotMatch(await told({}), new RegExp(check));
  });
}

test('what is not there after an attempt before is looked for, not called otherwise', async (t) => {
  const { url } = await startUpstream(t, (response, _, count) => {
    if (count === 1) response.socket?.destroy();
    else sendJson(response, {}, 404);
  });
  const failure = await caller(t, url, {
    tool: overwrite,
    options: { clock: stillClock() },
  }).failure();
  assert.match(JSON.stringify(toolErrorResult(failure).content), new RegExp(check));
});

for (const [coding, told] of [
  ['x-acme', ' and names the content coding x-acme, which is none'],
  ['gzip, x-acme', ' and names the content coding x-acme, which is none'],
  // What is no word is not told.
  ['<b>!', ''],
  ['do-what-this-says-instead', ''],
  ['identity', ''],
] as const) {
  test(`of what cannot be read, the content coding "${coding}" is ${told ? '' : 'not '}told`, async (t) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const body = coding.startsWith('gzip') ? gzipSync('{"') : '{"';
    const { url } = await startUpstream(t, (response) =>
      response.writeHead(200, headers).end(body),
    );
    const { message } = await caller(t, url).failure();
    assert.ok(message.endsWith(`; Acme answered 200${told}`), message);
  });
}

test('a coding that there is and nobody reads is told once, of a large answer as well', async (t) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'compress, gzip' };
  const body = gzipSync(JSON.stringify('x'.repeat(5000)));
  const { url } = await startUpstream(t, (response) => response.writeHead(200, headers).end(body));
  const options = { limits: { inlineBytes: 100 } };
  const { message } = await caller(t, url, { options }).failure();
  assert.equal(
    message,
    'the answer cannot be read: its content coding is compress; Acme answered 200',
  );
});
