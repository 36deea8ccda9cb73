import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import type { SafePath } from '#contract/path';
import { callContext, caller, stillClock, write } from './harness.ts';
import { sendJson, startUpstream } from './upstream.ts';

const statuses = [
  [400, 'invalid_arguments'],
  [401, 'unauthorized'],
  [402, 'payment_required'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [410, 'not_found'],
  [412, 'conflict'],
  [418, 'invalid_arguments'],
  [422, 'invalid_arguments'],
  [500, 'upstream_error'],
] as const;

for (const [status, code] of statuses) {
  test(`status ${status} is ${code}, tried once`, async (t) => {
    const upstream = await startUpstream(t, (response) =>
      sendJson(response, { message: 'so it is', code: 'E7', list: [{ field: 'a' }] }, status),
    );
    const { failure } = caller(t, upstream.url, {
      provider: {
        homepage: 'https://acme.example/docs',
        errors: { message: ['message'], code: ['code'], details: ['list'] },
      },
    });
    const error = await failure();
    assert.equal(error.code, code);
    assert.equal(error.message, `Acme answered ${status}: so it is`);
    const { advice: _, ...detail } = error.detail;
    assert.deepEqual(detail, {
      provider: 'acme',
      httpStatus: status,
      retryable: false,
      upstreamCode: 'E7',
      details: [{ field: 'a' }],
      docs: 'https://acme.example/docs',
      // The words are those of the vendor.
      untrusted: true,
    });
    assert.equal(upstream.seen.length, 1);
  });
}

for (const status of [502, 503, 504]) {
  test(`status ${status} is tried again, up to three times`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}, status));
    const clock = stillClock();
    const { failure } = caller(t, upstream.url, { options: { clock } });
    const error = await failure();
    assert.equal(error.code, 'upstream_error');
    assert.equal(error.detail.retryable, true);
    assert.equal(upstream.seen.length, 4);
    // Full jitter of 250 ms, doubled each time, with a chance that stands at one half.
    assert.deepEqual(clock.waits, [125, 250, 500]);
  });
}

const now = 1_800_000_000_000;
const resets: readonly (readonly [string, Record<string, string>, object])[] = [
  ['Retry-After in seconds', { 'retry-after': '2' }, {}],
  ['Retry-After as a date', { 'retry-after': new Date(now + 2000).toUTCString() }, {}],
  ['a reset in epoch seconds', { 'x-reset': String(now / 1000 + 2) }, { resetKind: 'epoch_s' }],
  ['a reset in epoch milliseconds', { 'x-reset': String(now + 2000) }, { resetKind: 'epoch_ms' }],
  ['a reset in seconds from now', { 'x-reset': '2' }, { resetKind: 'delta_s' }],
  ['a reset in milliseconds from now', { 'x-reset': '2000' }, { resetKind: 'delta_ms' }],
  [
    'a reset as an ISO date',
    { 'x-reset': new Date(now + 2000).toISOString() },
    { resetKind: 'iso' },
  ],
];

for (const [name, headers, kind] of resets) {
  test(`429 with ${name} waits exactly so long and tries again`, async (t) => {
    const upstream = await startUpstream(t, (response, _, count) =>
      count === 1 ? sendJson(response, {}, 429, headers) : sendJson(response, { done: true }),
    );
    const clock = stillClock(now);
    const { data } = caller(t, upstream.url, {
      provider: { rate: { requests: 100, perMs: 1000, resetHeader: 'X-Reset', ...kind } },
      options: { clock },
    });
    assert.deepEqual(await data(), { done: true });
    assert.deepEqual(clock.waits, [2000]);
  });
}

test('429 with a wait beyond the deadline ends at once and says how long', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 429, { 'retry-after': '60' }),
  );
  const clock = stillClock();
  const { failure } = caller(t, upstream.url, { options: { clock } });
  const error = await failure();
  assert.equal(error.code, 'rate_limited');
  assert.equal(error.detail.retryAfterMs, 60_000);
  assert.equal(error.detail.retryable, true);
  assert.deepEqual(clock.waits, []);
  assert.equal(upstream.seen.length, 1);
});

for (const headers of [{ 'retry-after': '60' }, { 'x-remaining': '0', 'x-reset': '60' }]) {
  test(`403 with ${Object.keys(headers)[0]} is rate_limited, as GitHub means it`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}, 403, headers));
    const { failure } = caller(t, upstream.url, {
      provider: {
        rate: {
          requests: 100,
          perMs: 1000,
          remainingHeader: 'x-remaining',
          resetHeader: 'x-reset',
        },
      },
      options: { clock: stillClock() },
    });
    const error = await failure();
    assert.equal(error.code, 'rate_limited');
    assert.equal(error.detail.retryAfterMs, 60_000);
  });
}

test('a status that is no limit but a code that is one is rate_limited, as Linear means it', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { errors: [{ extensions: { code: 'RATELIMITED' } }] }, 400),
  );
  const { failure } = caller(t, upstream.url, {
    provider: { errors: { code: ['errors', 0, 'extensions', 'code'] } },
    options: { clock: stillClock() },
  });
  assert.equal((await failure()).code, 'rate_limited');
  assert.equal(upstream.seen.length, 4);
});

test('a write is not sent twice, whatever the vendor says', async (t) => {
  for (const [status, headers, retryable] of [
    [429, {}, true],
    [502, {}, false],
    [503, {}, false],
    [503, { 'retry-after': '1' }, true],
  ] as const) {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}, status, headers));
    const { failure } = caller(t, upstream.url, { tool: write, options: { clock: stillClock() } });
    const error = await failure();
    assert.equal(upstream.seen.length, 1);
    // What refuses has done nothing; after the others nobody knows.
    assert.equal(error.detail.retryable, retryable);
  }
});

const timeoutMs = 30;

test('a body that never ends is upstream_timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"a":', () => t.mock.timers.tick(timeoutMs));
  });
  const { failure } = caller(t, upstream.url, { tool: { timeoutMs } });
  const error = await failure();
  assert.equal(error.code, 'upstream_timeout');
  assert.equal(error.detail.provider, 'acme');
  assert.equal(error.detail.retryable, true);
  assert.equal(upstream.seen.length, 1);
});

test('a vendor that never answers is upstream_timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const upstream = await startUpstream(t, () => t.mock.timers.tick(timeoutMs));
  const { failure } = caller(t, upstream.url, { options: { limits: { timeoutMs } } });
  assert.equal((await failure()).code, 'upstream_timeout');
});

test('a write that times out must not simply be repeated', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const upstream = await startUpstream(t, () => t.mock.timers.tick(timeoutMs));
  const { failure } = caller(t, upstream.url, { tool: { ...write, timeoutMs } });
  assert.equal((await failure()).detail.retryable, false);
});

test('JSON that is cut off is upstream_error', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"id":1');
  });
  const { failure } = caller(t, upstream.url);
  const error = await failure();
  assert.equal(error.code, 'upstream_error');
  assert.match(error.message, /JSON is broken or cut off/);
});

test('a connection that is cut inside the body is tried again', async (t) => {
  const upstream = await startUpstream(t, (response, _, count) => {
    if (count > 1) return sendJson(response, { whole: true });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"a":', () => response.destroy());
  });
  const { data } = caller(t, upstream.url, { options: { clock: stillClock() } });
  assert.deepEqual(await data(), { whole: true });
});

test('of an answer to a write that is cut off, status and beginning are told', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":"th_7","na', () => response.destroy());
  });
  const { code, message, detail } = await caller(t, upstream.url, { tool: write }).failure();
  assert.equal(code, 'upstream_error');
  assert.equal(
    message,
    'Acme answered 201, and the connection was cut after 16 of 100 bytes of the answer',
  );
  assert.equal(detail.httpStatus, 201);
  assert.equal(detail.retryable, false);
  assert.deepEqual(detail.details, { began: '{"id":"th_7","na' });
  assert.equal(detail.untrusted, true);
});

for (const decode of ['json', 'xml', undefined] as const) {
  test(`an HTML page instead of ${decode ?? 'data'} is upstream_error that says so`, async (t) => {
    const upstream = await startUpstream(t, (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>Sign in</title>');
    });
    const response = decode === undefined ? {} : { decode };
    const { failure } = caller(t, upstream.url, { tool: { response } });
    const error = await failure();
    assert.equal(error.code, 'upstream_error');
    assert.match(error.message, /HTML page/);
  });
}

test('an HTML page under the name of JSON is recognized', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('\n<html><body>down for maintenance</body></html>');
  });
  assert.match((await caller(t, upstream.url).failure()).message, /HTML page/);
});

test('of an error that is compressed and grows too large nothing is shown', async (t) => {
  const said = (length: number) => gzipSync(`<html><title>Down</title>${'<p>x'.repeat(length)}`);
  let body = said(10);
  const upstream = await startUpstream(t, (response) => {
    const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
    response.writeHead(500, headers).end(body);
  });
  const { failure } = caller(t, upstream.url, { tool: write });
  assert.match((await failure()).message, /^Acme answered 500: an HTML page: Down: /);
  body = said(100_000);
  const { message, detail } = await failure();
  assert.equal(message, 'Acme answered 500: what it says is too large to be read');
  assert.equal(detail.httpStatus, 500);
});

test('of an HTML page with an error status the title and the first words are told, no more', async (t) => {
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(403, { 'content-type': 'text/html' });
    response.end(
      `<html><head><title>Denied</title><script>var a = 1</script></head><body><h1>Denied</h1><p>no &lt;such&gt; <b>plan</b></p>${'x '.repeat(500)}</body></html>`,
    );
  });
  const { message } = await caller(t, upstream.url).failure();
  assert.match(message, /^Acme answered 403: an HTML page: Denied: no <such> plan x x [x ]*…$/);
  assert.ok(message.length < 300);
});

test('a body of 10 MB is response_too_large, with and without Content-Length', async (t) => {
  for (const headers of [{ 'content-length': String(10 * 1024 * 1024) }, {}]) {
    let sent = 0;
    const upstream = await startUpstream(t, (response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const push = () => {
        while (sent < 10 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', push).on('error', () => {});
      push();
    });
    assert.equal((await caller(t, upstream.url).failure()).code, 'response_too_large');
  }
});

test('a gzip bomb is response_too_large', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bomb);
  });
  assert.equal((await caller(t, upstream.url).failure()).code, 'response_too_large');
});

test('a head that is too large is response_too_large', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, {}, 200, { 'x-padding': 'x'.repeat(8_000) }),
  );
  const { failure } = caller(t, upstream.url, { options: { limits: { headerBytes: 4_096 } } });
  const error = await failure();
  assert.equal(error.code, 'response_too_large');
  assert.equal(error.message, 'Acme has answered, but the head of its answer is too large');
});

test('a redirection to another host is not followed', async (t) => {
  const other = await startUpstream(t, (response) => sendJson(response, { stolen: true }));
  const upstream = await startUpstream(t, (response) => {
    response.writeHead(302, { location: `${other.url}/things` }).end();
  });
  const error = await caller(t, upstream.url).failure();
  assert.equal(error.code, 'upstream_error');
  assert.equal(other.seen.length, 0);
});

test('a host that nobody listens on is upstream_error without its address', async (t) => {
  const error = await caller(t, 'http://127.0.0.1:1', {
    options: { clock: stillClock() },
  }).failure();
  assert.equal(error.code, 'upstream_error');
  assert.equal(error.message, 'Acme could not be reached: the connection was refused');
});

test('a caller that leaves ends the request', async (t) => {
  const controller = new AbortController();
  const left = Promise.withResolvers<void>();
  const upstream = await startUpstream(t, (response) => {
    response.on('close', left.resolve);
    controller.abort();
  });
  const { failure } = caller(t, upstream.url);
  const error = await failure({}, callContext({ signal: controller.signal }));
  assert.equal(error.code, 'upstream_timeout');
  assert.equal(error.detail.retryable, false);
  await left.promise;
});

test('a caller that has left before sends nothing', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  await caller(t, upstream.url).failure({}, callContext({ signal: AbortSignal.abort() }));
  assert.equal(upstream.seen.length, 0);
});

test('a caller that leaves while its request waits for a connection sends nothing', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (response, _, count) =>
    count === 1 ? held.resolve(() => sendJson(response, {})) : sendJson(response, {}),
  );
  const { call, failure } = caller(t, upstream.url, {
    provider: { rate: { requests: 100, perMs: 1, concurrency: 10 } },
    options: { limits: { connections: 1 } },
  });
  const first = call();
  const release = await held.promise;
  const controller = new AbortController();
  const second = failure({}, callContext({ signal: controller.signal }));
  const third = call();
  controller.abort();
  assert.equal((await second).code, 'upstream_timeout');
  release();
  await Promise.all([first, third]);
  assert.equal(upstream.seen.length, 2);
});

test('a path that leaves the server’s prefix is refused', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = () => ({ method: 'GET', path: '/../admin' as SafePath });
  const error = await caller(t, `${upstream.url}/v1`, { tool: { request } }).failure();
  assert.equal(error.code, 'invalid_arguments');
  assert.equal(upstream.seen.length, 0);
});
