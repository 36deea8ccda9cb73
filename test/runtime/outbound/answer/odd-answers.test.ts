import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pipeline, Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { toolErrorResult } from '../../../../runtime/outbound/answer/tool-error-result.ts';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';

const text = JSON.stringify({ things: ['a', 'b'] });

const compressed: Readonly<Record<string, readonly [Buffer, string | undefined]>> = {
  'gzip that nobody announced': [gzipSync(text), undefined],
  'deflate that nobody asked for': [deflateSync(text), 'deflate'],
  'deflate without the frame of zlib': [deflateRawSync(text), 'deflate'],
};

suite('compressed answers (RFC 9110 section 8.4)', () => {
  for (const [what, [body, coding]] of Object.entries(compressed)) {
    test(`${what} is read`, async (t) => {
      const { url } = await startUpstream(t, (response) => {
        const headers = coding === undefined ? {} : { 'content-encoding': coding };
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
      });
      assert.deepEqual(await caller(t, url).data(), JSON.parse(text));
    });
  }

  test('a bomb that nobody announced stops at the limit', async (t) => {
    const bomb = gzipSync(`"${'x'.repeat(20 * 1024 * 1024)}"`);
    const { url } = await startUpstream(t, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(bomb);
    });
    assert.equal((await caller(t, url).failure()).code, 'response_too_large');
  });
});

test('of an answer without a body, the address of what was made or has begun is told', async (t) => {
  for (const status of [201, 202]) {
    const location = '/things/abc-9?part=1';
    const { url } = await startUpstream(t, (response) =>
      response.writeHead(status, { location }).end(),
    );
    assert.deepEqual(await caller(t, url).data(), {
      location: `${new URL(url).origin}${location}`,
    });
  }
  const { url } = await startUpstream(t, (response) =>
    response.writeHead(204, { location: '/things' }).end(),
  );
  assert.deepEqual(await caller(t, url).data(), {});
});

test('an absurd Retry-After is cut, and said to be what the vendor asked for', async (t) => {
  const { url } = await startUpstream(t, (response) =>
    sendJson(response, {}, 429, { 'retry-after': '31536000000' }),
  );
  const { detail, code, message } = await caller(t, url).failure();
  assert.equal(code, 'rate_limited');
  assert.equal(detail.retryAfterMs, 86_400_000);
  assert.equal(detail.askedToWaitMs, 31_536_000_000_000);
  const { error } = toolErrorResult(Object.assign(await caller(t, url).failure(), { message }))
    .structuredContent as { error: Record<string, unknown> };
  assert.equal(error['retry_after_ms'], 86_400_000);
  assert.equal(error['vendor_asked_to_wait_ms'], 31_536_000_000_000);
});

test('a usual Retry-After is told as it is', async (t) => {
  const { url } = await startUpstream(t, (response) =>
    sendJson(response, {}, 429, { 'retry-after': '3600' }),
  );
  const { detail } = await caller(t, url).failure();
  assert.equal(detail.retryAfterMs, 3_600_000);
  assert.equal(detail.askedToWaitMs, undefined);
});

test('a credential that the vendor repeats in a good answer does not reach the model', async (t) => {
  const token = 'acme_0123456789"abcdef';
  const { url } = await startUpstream(t, (response, { headers }) =>
    sendJson(response, {
      you_sent: headers.authorization,
      [`key ${token}`]: encodeURIComponent(token),
      encoded: Buffer.from(token).toString('base64'),
      things: ['kept'],
    }),
  );
  const setting = {
    provider: {
      auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] as const,
    },
    options: { env: { ACME_TOKEN: token } },
  };
  const { structuredContent, content } = await caller(t, url, setting).call();
  assert.deepEqual(structuredContent, {
    you_sent: '[redacted]',
    'key [redacted]': '[redacted]',
    encoded: '[redacted]',
    things: ['kept'],
  });
  assert.doesNotMatch(JSON.stringify(content), /0123456789/);
});

test('a short credential is masked where it stands alone, a number where it is one', async (t) => {
  const cases = [
    [
      'hunt3r2',
      { said: 'not hunt3r2, nor xhunt3r2', a: 'hunt3r2' },
      { said: 'not [redacted], nor xhunt3r2', a: '[redacted]' },
    ],
    ['secret', { said: 'a secret', n: 1 }, { said: 'a secret', n: 1 }],
    ['a1b2c', { a: 'a1b2c' }, { a: 'a1b2c' }],
    ['123456', { id: 123456 }, { id: 123456 }],
    ['123456789012', { id: 123456789012, b: [true, null] }, { id: '[redacted]', b: [true, null] }],
  ] as const;
  for (const [token, answer, told] of cases) {
    const { url } = await startUpstream(t, (response) => sendJson(response, answer));
    const { data } = caller(t, url, {
      provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
      options: { env: { ACME_TOKEN: token } },
    });
    assert.deepEqual(await data(), told);
  }
});

for (const isAnnounced of [true, false]) {
  test(`a refusal larger than any answer keeps its status and its beginning, ${isAnnounced ? '' : 'not '}announced`, async (t) => {
    const body = Buffer.from('The name is taken. '.repeat(1_000_000));
    const { url } = await startUpstream(t, (response) => {
      const length = isAnnounced ? { 'content-length': body.length } : {};
      response.writeHead(422, { 'content-type': 'text/plain', ...length });
      response.write(body);
      response.end();
    });
    const { code, message, detail } = await caller(t, url).failure();
    assert.equal(code, 'invalid_arguments');
    assert.equal(detail.httpStatus, 422);
    assert.match(message, /^Acme answered 422: The name is taken\. The/);
  });
}

function* endless(text: string): Generator<string> {
  for (;;) yield text;
}

test('of a refusal that never ends, the beginning is told at once', async (t) => {
  const { url } = await startUpstream(t, (response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    pipeline(Readable.from(endless('no '.repeat(10_000))), response, () => {});
  });
  assert.match((await caller(t, url).failure()).message, /^Acme answered 500: no no no/);
});

test('a refusal whose body never ends is told with its status', async (t) => {
  const timeoutMs = 30;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { url } = await startUpstream(t, (response) => {
    response.writeHead(422, { 'content-type': 'text/plain' });
    response.write('The name is taken');
  });
  const { failure } = caller(t, url, { tool: { timeoutMs } });
  const came = () => setImmediate(() => t.mock.timers.tick(timeoutMs));
  subscribe('undici:request:headers', came);
  t.after(() => unsubscribe('undici:request:headers', came));
  const { code, message } = await failure();
  assert.equal(code, 'invalid_arguments');
  assert.match(message, /^Acme answered 422/);
});

test('a choice (300) is told with its address and what it says', async (t) => {
  const { url } = await startUpstream(t, (response) =>
    sendJson(response, { choices: ['a', 'b'] }, 300, { location: '/things/a' }),
  );
  const { message } = await caller(t, url).failure();
  assert.equal(message, 'Acme answered 300 and names /things/a: choices: a, b');
});

test('JSON that comes as mere bytes is read where JSON alone is promised', async (t) => {
  const { url } = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
  });
  assert.deepEqual(await caller(t, url).data(), JSON.parse(text));
  const types = ['application/octet-stream'];
  const { content } = await caller(t, url, { tool: { response: { types } } }).call();
  assert.equal(content[0]?.type, 'resource');
});

for (const size of ['small', 'large'] as const) {
  test(`a ${size} page in the place of data is told by its words, without the credential`, async (t) => {
    const { url } = await startUpstream(t, (response, { headers }) => {
      const page = `<html><title>Sign in</title><p>No ${headers.authorization}</p>`;
      const filler = size === 'large' ? '<p>x'.repeat(20_000) : '';
      response.writeHead(200, { 'content-type': 'text/html' }).end(page + filler);
    });
    const { message, detail } = await caller(t, url, {
      provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
      options: { env: { ACME_TOKEN: 'acme_0123456789_abcdef' } },
    }).failure();
    assert.match(message, /an HTML page instead of data: Sign in: No (?:Bearer )?\[redacted\]/);
    assert.equal(detail.untrusted, true);
    assert.equal(detail.provider, 'acme');
  });
}
