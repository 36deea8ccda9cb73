import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { path } from '#contract/path';
import { caller, stillClock, write } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

// What was done is known where an answer came, and else nobody knows: each error has to say which it is.

const elsewhere = { location: 'https://elsewhere.example/' };
const json = { 'content-type': 'application/json' };
const unknownEnd = '; Acme answered 200; what was asked for may have been done';
const large = JSON.stringify({ a: 'x'.repeat(5_000) });

const unusable: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
  ['broken JSON', (response) => response.writeHead(200, json).end('{"id":'), 'upstream_error'],
  [
    'broken gzip',
    (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('no gzip'),
    'upstream_error',
  ],
  [
    'a coding that nobody reads',
    (response) => response.writeHead(200, { ...json, 'content-encoding': 'compress' }).end('x'),
    'upstream_error',
  ],
  [
    'too long an answer',
    (response) => response.writeHead(200, json).end(large),
    'response_too_large',
  ],
  [
    'what grows too long',
    (response) =>
      response
        .writeHead(200, { ...json, 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ a: 'x'.repeat(50_000) }))),
    'response_too_large',
  ],
  [
    'XML with definitions',
    (response) =>
      response.writeHead(200, { 'content-type': 'text/xml' }).end('<!DOCTYPE a []><a>1</a>'),
    'upstream_error',
  ],
];
const small = { limits: { responseBytes: 4_000 } };
const brief = { limits: { timeoutMs: 2_000 } };

for (const [what, reply, code] of unusable) {
  test(`a write that is answered with ${what} may have been done, and is not repeated`, async (t) => {
    const { url, seen } = await startUpstream(t, reply);
    const failure = await caller(t, url, { tool: write, options: small }).failure();
    assert.equal(failure.code, code);
    assert.ok(failure.message.endsWith(unknownEnd), failure.message);
    assert.equal(failure.detail.httpStatus, 200);
    assert.equal(failure.detail.provider, 'acme');
    assert.equal(failure.detail.retryable, false);
    assert.equal(seen.length, 1);
    const read = await caller(t, url, { options: small }).failure();
    assert.doesNotMatch(read.message, /may have been done/);
  });
}

test('a write that is not answered in time, or not to its end, may have been done', async (t) => {
  const silent = await startUpstream(t, () => undefined);
  const none = await caller(t, silent.url, { tool: write, options: brief }).failure();
  assert.equal(none.message, 'no answer within 2000 ms; what was asked for may have been done');
  assert.equal(none.detail.retryable, false);
  const slow = await startUpstream(t, (response) => {
    response.writeHead(200, { ...json, 'content-length': '9' }).write('{');
  });
  const half = await caller(t, slow.url, { tool: write, options: brief }).failure();
  assert.equal(half.message, `no answer within 2000 ms${unknownEnd}`);
  assert.deepEqual([half.code, half.detail.httpStatus], ['upstream_timeout', 200]);
});

for (const coding of ['utf-8', 'UTF-8', 'aws-chunked', 'identity', 'none', '']) {
  test(`"${coding}" is no content coding (RFC 9110, section 8.4.1)`, async (t) => {
    const { url } = await startUpstream(t, (response) =>
      response.writeHead(200, { ...json, 'content-encoding': coding }).end('{"id":1}'),
    );
    assert.deepEqual(await caller(t, url).data(), { id: 1 });
  });
}

test('a failure is one by its status, whatever is wrong with its body', async (t) => {
  const { url } = await startUpstream(t, (response) =>
    response.writeHead(403, { ...json, 'content-encoding': 'gzip' }).end('no gzip'),
  );
  const { code, message } = await caller(t, url, { tool: write }).failure();
  assert.deepEqual([code, message], ['forbidden', 'Acme answered 403']);
});

/** What comes of a deletion whose first attempt ends with `first`, and whose second finds nothing. */
async function deleted(t: TestContext, first: (response: ServerResponse) => void) {
  let requests = 0;
  const { url } = await startUpstream(t, (response) => {
    requests += 1;
    if (requests === 1) first(response);
    else response.writeHead(404, json).end('{"message":"no such thing"}');
  });
  const tool = {
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    request: () => ({ method: 'DELETE', path: path`/things/1` }),
  } as const;
  return caller(t, url, { tool, options: { clock: stillClock() } }).failure();
}

test('what is not there any more may be gone by an attempt before', async (t) => {
  for (const first of [
    (response: ServerResponse) => response.socket?.destroy(),
    (response: ServerResponse) => response.writeHead(502).end(),
  ]) {
    const { code, message } = await deleted(t, first);
    assert.equal(code, 'not_found');
    const told =
      'the request was sent 2 times, and an earlier one may have done what was asked for';
    assert.equal(message, `Acme answered 404: no such thing; ${told}`);
  }
});

test('what was refused before was not done (RFC 9110, section 15.6.4; RFC 6585, section 4)', async (t) => {
  for (const [status, headers] of [[429], [503, { 'retry-after': '1' }]] as const) {
    const { message } = await deleted(t, (response) => response.writeHead(status, headers).end());
    assert.equal(message, 'Acme answered 404: no such thing');
  }
});

for (const [what, then, code] of [
  ['429', (response) => response.writeHead(429, { 'retry-after': '1' }).end(), 'rate_limited'],
  ['503', (response) => response.writeHead(503, { 'retry-after': '1' }).end(), 'upstream_error'],
  ['404', (response) => response.writeHead(404).end(), 'not_found'],
  ['another host', (response) => response.writeHead(303, elsewhere).end(), 'upstream_error'],
] as const satisfies readonly (readonly [string, (response: ServerResponse) => void, string])[]) {
  test(`a write that is answered 303, and then ${what}, may have been done, and is not repeated (RFC 9110, section 15.4.4)`, async (t) => {
    const { url, seen } = await startUpstream(t, (response, request) =>
      request.method === 'POST'
        ? response.writeHead(303, { location: '/done' }).end()
        : then(response),
    );
    const failure = await caller(t, url, { tool: write }).failure();
    const { retryable, mayBeDone } = failure.detail;
    assert.deepEqual([failure.code, retryable, mayBeDone], [code, false, true]);
    assert.match(failure.message, /the request itself was answered 303, and may have been done$/);
    assert.deepEqual(
      seen.map(({ method }) => method),
      ['POST', 'GET'],
    );
  });
}
