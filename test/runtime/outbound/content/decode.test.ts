import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import zlib from 'node:zlib';
import { path } from '#contract/path';
import type { Provider } from '#contract/provider';
import type { ResponseShape } from '#contract/tool';
import { caller, stillClock } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

interface Reply {
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly response?: ResponseShape;
  readonly provider?: Partial<Provider>;
}

async function answered(t: TestContext, reply: Reply) {
  const { type = 'application/json', body = '', status = 200, headers, response } = reply;
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  const tool = response === undefined ? {} : { response };
  return caller(t, upstream.url, {
    tool,
    options: { clock: stillClock() },
    ...(reply.provider ? { provider: reply.provider } : {}),
  });
}

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

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:os="http://os.example">
  <os:total>1</os:total>
  <entry>
    <id>1234.5600</id><title>A &amp; B &lt;i&gt;</title>
    <author><name>One</name></author>
    <link href="https://x/1" rel="alternate"/>
    <note xmlns:n="http://n.example">plain</note><sized unit="mm">7</sized>
  </entry>
</feed>`;

const feedShape: ResponseShape = {
  decode: 'xml',
  items: ['feed', 'entry'],
  map: {
    id: ['id'],
    title: ['title'],
    authors: ['author', '*', 'name'],
    links: ['link', '*', 'href'],
    note: ['note'],
    size: ['sized', '#text'],
  },
};

test('XML keeps its texts as texts, and lists of one as lists', async (t) => {
  const { data } = await answered(t, {
    type: 'application/atom+xml',
    body: feed,
    response: feedShape,
  });
  assert.deepEqual(await data(), {
    items: [
      {
        id: '1234.5600',
        title: 'A & B <i>',
        authors: ['One'],
        links: ['https://x/1'],
        note: 'plain',
        size: '7',
      },
    ],
  });
});

test('XML is read in the encoding that it declares (XML 1.0, 4.3.3)', async (t) => {
  const body = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>é</b></a>', 'latin1');
  const { data } = await answered(t, { type: 'text/xml', body });
  assert.deepEqual(await data(), { a: { b: 'é' } });
});

test('many entities in XML are no attack', async (t) => {
  const { data } = await answered(t, {
    type: 'text/xml',
    body: `<a>${'&amp;&#233;'.repeat(20_000)}</a>`,
    response: { maxBytes: 100_000 },
  });
  assert.ok((await data())['a'] === '&é'.repeat(20_000));
});

const hostile = {
  'a billion laughs':
    '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>',
  'an external entity': '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>',
  'a document type in lower case': '<!doctype l><l/>',
  'tags that do not match': '<a><b></a>',
  'no XML': 'hello',
  'too many levels': `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`,
};

for (const [name, body] of Object.entries(hostile)) {
  test(`XML with ${name} is upstream_error`, async (t) => {
    const { failure } = await answered(t, { type: 'application/xml', body });
    assert.equal((await failure()).code, 'upstream_error');
  });
}

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

test('a small image and a sound are what they are, other bytes a resource in the result', async (t) => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const image = await (await answered(t, { type: 'image/png', body: png })).call();
  assert.deepEqual(image.content, [
    { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
  ]);
  const sound = await (await answered(t, { type: 'audio/mpeg', body: png })).call();
  assert.deepEqual(sound.content, [
    { type: 'audio', data: png.toString('base64'), mimeType: 'audio/mpeg' },
  ]);
  const files = {
    'application/pdf': Buffer.from('%PDF-1.7'),
    'application/vnd.ms-excel': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'application/x-7z-compressed': Buffer.from('377abcaf271c00', 'hex'),
    'image/png': Buffer.alloc(256 * 1024 + 1, 7),
  };
  for (const [type, body] of Object.entries(files)) {
    const { content, structuredContent } = await (await answered(t, { type, body })).call();
    const [block] = content;
    assert.ok(block?.type === 'resource', type);
    assert.match(block.resource.uri, /^http:\/\/127\.0\.0\.1:\d+\/things$/);
    assert.equal(block.resource.mimeType, type);
    assert.ok(Buffer.from(block.resource.blob ?? '', 'base64').equals(body), type);
    const { size, mime_type } = structuredContent as { size: number; mime_type: string };
    assert.deepEqual({ size, mime_type }, { size: body.length, mime_type: type });
  }
});

test('what is text by its bytes or its charset is no file', async (t) => {
  const latin = { type: 'application/x-report; charset=iso-8859-1', body: Buffer.from([0xe9]) };
  assert.deepEqual((await (await answered(t, latin)).call()).structuredContent, { text: 'é' });
  const plain = { type: 'application/x-report', body: 'a;b' };
  assert.deepEqual((await (await answered(t, plain)).call()).structuredContent, { text: 'a;b' });
  const drawing = { type: 'image/svg+xml', body: '<svg/>' };
  assert.deepEqual((await (await answered(t, drawing)).call()).structuredContent, {
    text: '<svg/>',
  });
});

const largest = 4 * 1024 * 1024;

test('a file over 4 MiB is a link to where it came from', async (t) => {
  const large = { type: 'application/zip', body: Buffer.alloc(largest + 1) };
  const [link] = (await (await answered(t, large)).call()).content;
  assert.ok(link?.type === 'resource_link');
  assert.match(link.uri, /^http:\/\/127\.0\.0\.1:\d+\/things$/);
  assert.equal(link.size, largest + 1);
});

test('a file over 4 MiB that needs a credential is response_too_large, not a link', async (t) => {
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.alloc(largest + 1));
  });
  const auth = [{ type: 'bearer', env: ['T'], required: true }] as const;
  const options = { env: { T: 'token-1' } };
  const error = await caller(t, upstream.url, { provider: { auth }, options }).failure();
  assert.equal(error.code, 'response_too_large');
  assert.match(error.message, /4194305 bytes of application\/zip; a result holds at most 4194304/);
});

test('a tool that answers with a link does not read the content', async (t) => {
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '9999999999' });
    out.write('x');
  });
  const result = await caller(t, upstream.url, { tool: { response: { linkOnly: true } } }).call();
  assert.deepEqual(result.content, [
    {
      type: 'resource_link',
      uri: `${upstream.url}/things`,
      name: 'things',
      mimeType: 'video/mp4',
      size: 9_999_999_999,
    },
  ]);
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

test('the message of a failure in XML is found as in JSON; XML that is broken says nothing', async (t) => {
  const entry = '<entry><title>Error</title><summary>incorrect id format</summary></entry>';
  const messages: string[] = [];
  for (const body of [`<feed>${entry}</feed>`, `<feed>${entry}`, `<!DOCTYPE feed><feed/>`]) {
    const { failure } = await answered(t, {
      type: 'application/atom+xml; charset=utf-8',
      status: 400,
      body,
      response: { items: ['feed', 'entry'] },
      provider: { errors: { message: ['feed', 'entry', 0, 'summary'] } },
    });
    messages.push((await failure()).message);
  }
  assert.deepEqual(messages, [
    'Acme answered 400: incorrect id format',
    'Acme answered 400',
    'Acme answered 400',
  ]);
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
  });
  const alone = await answered(t, { body: '[9007199254740993]' });
  assert.deepEqual(await alone.data(), { items: ['9007199254740993'] });
});
