import assert from 'node:assert/strict';
import test from 'node:test';
import zlib from 'node:zlib';
import { path } from '#contract/path';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { answered } from './answered.ts';

const encodings = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
  'gzip, br': (text: string) => zlib.brotliCompressSync(zlib.gzipSync(text)),
  identity: Buffer.from,
} as const;

for (const [encoding, encode] of Object.entries(encodings)) {
  test(`a body in ${encoding} is read`, async (t) => {
    const { data } = await answered(t, {
      body: encode('{"a":1}'),
      headers: { 'content-encoding': encoding },
    });
    assert.deepEqual(await data(), { a: 1 });
  });
}

test('an empty body has no content coding, whatever its header says (RFC 9110 section 8.4)', async (t) => {
  for (const encoding of ['gzip', 'br', 'any text', 'gzip, gzip, gzip, gzip']) {
    const { data } = await answered(t, { body: '', headers: { 'content-encoding': encoding } });
    assert.deepEqual(await data(), {});
  }
});

test('an unknown, endless or broken content coding is upstream_error', async (t) => {
  const replies = [
    { headers: { 'content-encoding': 'compress' }, body: 'x' },
    {
      headers: { 'content-encoding': 'gzip, gzip, gzip, gzip' },
      body: [1, 2, 3, 4].reduce((body) => zlib.gzipSync(body), Buffer.from('{"a":1}')),
    },
    { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}').subarray(0, 15) },
    { headers: { 'content-encoding': 'br' }, body: '{"a":1}' },
  ];
  for (const reply of replies) {
    const { failure } = await answered(t, reply);
    const error = await failure();
    assert.equal(error.code, 'upstream_error');
    assert.match(error.message, /cannot be read/);
  }
});

test('a bomb inside a bomb stops at the limit too', async (t) => {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 };
  const bomb = zlib.gzipSync(zlib.brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), { params }));
  const { failure } = await answered(t, {
    body: bomb,
    headers: { 'content-encoding': 'br, gzip' },
  });
  assert.equal((await failure()).code, 'response_too_large');
});

test('JSON is read in the charset that it names, without its byte order mark', async (t) => {
  const latin = await answered(t, {
    type: 'application/json; charset="iso-8859-1"',
    body: Buffer.from('{"a":"é"}', 'latin1'),
  });
  assert.deepEqual(await latin.data(), { a: 'é' });
  const marked = await answered(t, { type: 'application/vnd.acme+json', body: '\ufeff{"a":"é"}' });
  assert.deepEqual(await marked.data(), { a: 'é' });
  const odd = await answered(t, { type: 'application/json; charset=klingon', body: '{"a":"é"}' });
  assert.deepEqual(await odd.data(), { a: 'é' });
});

const empties = [
  { status: 204 },
  { status: 200, body: '' },
  { status: 404, body: '{"error":"none"}', provider: { errors: { emptyStatuses: [404] } } },
] as const;

for (const reply of empties) {
  test(`status ${reply.status} without content is an empty result`, async (t) => {
    const { data } = await answered(t, reply);
    assert.deepEqual(await data(), {});
    const list = await answered(t, { ...reply, response: { items: ['results'] } });
    assert.deepEqual(await list.data(), { items: [] });
  });
}

test('a HEAD may announce any length (RFC 9110 section 9.3.2)', async (t) => {
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '99999999' }).end();
  });
  const request = () => ({ method: 'HEAD', path: path`/things` });
  assert.deepEqual(await caller(t, upstream.url, { tool: { request } }).data(), {});
});

test('text is a member of the result', async (t) => {
  const plain = await answered(t, { type: 'text/plain', body: 'so it is' });
  assert.deepEqual(await plain.data(), { text: 'so it is' });
  const csv = await answered(t, { type: 'text/csv', body: 'a,b', response: { decode: 'csv' } });
  assert.deepEqual(await csv.data(), { text: 'a,b' });
});

test('JSON under the name of text is JSON; what only looks like it is text', async (t) => {
  const json = await answered(t, { type: 'text/plain', body: ' {"a":1}' });
  assert.deepEqual(await json.data(), { a: 1 });
  const text = await answered(t, { type: 'text/plain', body: '[sic] it is' });
  assert.deepEqual(await text.data(), { text: '[sic] it is' });
});

test('a list or a lone value at the root becomes a member of the result', async (t) => {
  assert.deepEqual(await (await answered(t, { body: '[1,2]' })).data(), { items: [1, 2] });
  assert.deepEqual(await (await answered(t, { body: '7' })).data(), { value: 7 });
  assert.deepEqual(await (await answered(t, { body: 'null' })).data(), {});
});

const softCases = [
  ['{"ok":false,"error":"channel_not_found"}', 'not_found', 'channel_not_found'],
  ['{"ok":false,"error":"invalid_auth"}', 'unauthorized', 'invalid_auth'],
  ['{"ok":false,"error":"missing_scope"}', 'forbidden', 'missing_scope'],
  ['{"ok":false,"error":"ratelimited"}', 'rate_limited', 'ratelimited'],
  ['{"ok":false,"error":"already_reacted"}', 'conflict', 'already_reacted'],
  ['{"ok":false,"error":"invalid_blocks"}', 'invalid_arguments', 'invalid_blocks'],
  ['{"ok":false,"error":"something else"}', 'upstream_error', undefined],
] as const;

for (const [body, code, upstreamCode] of softCases) {
  test(`a success status with ${body} is ${code}`, async (t) => {
    const { failure } = await answered(t, {
      body,
      provider: { errors: { soft: { path: ['ok'], equals: false, message: ['error'] } } },
    });
    const error = await failure();
    assert.equal(error.code, code);
    assert.equal(error.detail.upstreamCode, upstreamCode);
    assert.equal(error.detail.httpStatus, 200);
    assert.match(error.message, /^Acme refused the call: /);
  });
}

test('a soft error without a value is anything but null and false', async (t) => {
  const provider = { errors: { soft: { path: ['errors'], message: ['errors', 0, 'message'] } } };
  for (const body of ['{"errors":null,"a":1}', '{"errors":false}', '{"a":1}']) {
    await (await answered(t, { body, provider })).call();
  }
  const { failure } = await answered(t, { body: '{"errors":[{"message":"bad field"}]}', provider });
  assert.match((await failure()).message, /bad field/);
});

test('a soft error at the root: null means not found', async (t) => {
  const provider = { errors: { soft: { path: [], equals: null } } };
  const { failure } = await answered(t, { body: 'null', provider });
  assert.equal((await failure()).code, 'not_found');
});

test('an answer that is nested too deeply is upstream_error, an error answer loses its details', async (t) => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const type of ['application/json', 'text/plain']) {
    const { failure } = await answered(t, { type, body: nested });
    const error = await failure();
    assert.equal(error.code, 'upstream_error');
    assert.equal(error.detail.retryable, false);
    assert.match(error.message, /more than 200 levels deep/);
  }
  const honest = '['.repeat(199) + ']'.repeat(199);
  const { data } = await answered(t, { body: `{"a":${honest}}` });
  assert.deepEqual(await data(), { a: JSON.parse(honest) });
  const { failure } = await answered(t, {
    status: 400,
    body: `{"message":"no","errors":${nested}}`,
    provider: { errors: { message: ['message'], details: ['errors'] } },
  });
  assert.equal((await failure()).detail.details, undefined);
});

test('problem details say what is wrong where (RFC 9457, section 3)', async (t) => {
  const errors = [
    { detail: 'must be a positive integer', pointer: '#/age' },
    { detail: 'is too old' },
    { pointer: '#/alone' },
    'no object',
  ];
  const told = '#/age: must be a positive integer; is too old';
  for (const [body, said] of [
    [{ title: 'Bad', errors }, `Bad: ${told}`],
    [{ title: 'Bad', detail: 'Two fields', errors }, `Two fields: ${told}`],
    [{ errors }, told],
    [{ title: 'Bad', errors: [] }, 'Bad'],
    [{ message: 'Read this', errors }, `Read this: ${told}`],
  ] as const) {
    const type = 'application/problem+json';
    const { failure } = await answered(t, { type, status: 422, body: JSON.stringify(body) });
    assert.match((await failure()).message, new RegExp(`answered 422: ${said}$`));
  }
});

test('whole numbers that a reader of JSON would round come as the text of their digits', async (t) => {
  const body = `{"id":9007199254740993,"low":-9007199254740993,"list":[18446744073709551615, 7],
    "safe":9007199254740991,"text":"9007199254740993","part":0.30000000000000000000004,"far":1e30}`;
  const { data } = await answered(t, { body });
  assert.deepEqual(await data(), {
    id: '9007199254740993',
    low: '-9007199254740993',
    list: ['18446744073709551615', 7],
    safe: 9007199254740991,
    text: '9007199254740993',
    part: 0.3,
    far: 1e30,
    hint: '1 number of the answer has more digits than most programs keep, all in the text',
  });
  const alone = await answered(t, { body: '[9007199254740993]' });
  assert.deepEqual(await alone.data(), { items: ['9007199254740993'] });
});

test('half of a character in JSON is U+FFFD, in the data as in its text; whole ones stay', async (t) => {
  const body = String.raw`{"high":"a\ud83d!","\udE00":"low","both":"\ud83d\ude00","two":"\ud83d\ud83d\ude00","back":"\\ud83d\\"}`;
  const expected = {
    high: 'a\ufffd!',
    '\ufffd': 'low',
    both: '😀',
    two: '\ufffd😀',
    back: '\\ud83d\\',
  };
  const { call } = await answered(t, { body });
  const { content, structuredContent } = await call();
  assert.deepEqual(structuredContent, expected);
  const [block] = content;
  assert.ok(block?.type === 'text');
  assert.ok(block.text.isWellFormed());
  assert.equal(block.text, JSON.stringify(expected));
});
