import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { path } from '#contract/path';
import {
  csv,
  deep,
  form,
  json,
  multipart,
  piped,
  raw,
  spaced,
  type ToolRequest,
} from '#contract/request';
import { encodeFields } from '../../../../runtime/outbound/request/query-encoding.ts';
import { caller, failureOf } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';
import { sent } from './sent.ts';

test('any query comes back from a reader of application/x-www-form-urlencoded', () => {
  const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
  const fields = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(scalar, fc.array(scalar)));
  fc.assert(
    fc.property(fields, (query) => {
      const expected = Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((member) => [name, String(member)]),
      );
      assert.deepEqual([...new URLSearchParams(encodeFields(query))], expected);
    }),
  );
});

test('absent values are left out of a query', () => {
  assert.equal(encodeFields({ a: 1, b: undefined, c: null, d: [] }), 'a=1');
});

test('half of a character is refused wherever UTF-8 has no form for it, and its place is named', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const half = 'a\ud800';
  const places: readonly Partial<ToolRequest>[] = [
    { query: { q: half } },
    { query: { q: deep({ [half]: 1 }) } },
    { query: { q: csv(['b', half]) } },
    { body: form({ q: half }) },
    { body: multipart({ q: half }) },
    { body: raw(half, 'text/plain') },
  ];
  for (const place of places) {
    const request = () => ({ method: 'POST', path: path`/things`, ...place });
    const { call } = caller(t, upstream.url, { tool: { request } });
    const error = await failureOf(call({ q: half }));
    assert.equal(error.code, 'invalid_arguments');
    assert.match(error.message, /half of one/);
  }
  assert.throws(() => path`/things/${half}`, /half of one/);
  assert.equal(upstream.seen.length, 0);
  const seen = await sent(t, { request: { body: json({ q: half }) } });
  assert.equal(seen.body, String.raw`{"q":"a\ud800"}`);
});

test('an item that holds the separator does not become two', async (t) => {
  const query = { a: csv(['b,c', 'd e', '']), o: csv({ 'x,y': 'z' }), s: spaced(['b', 'c']) };
  assert.equal(encodeFields(query), 'a=b%2Cc,d%20e,&o=x%2Cy,z&s=b%20c');
  const holds = /must not hold "[ ,|]", .* but "b[ ,|]c" was given/;
  assert.throws(() => encodeFields({ s: spaced(['b c', 'd']) }), holds);
  assert.throws(() => encodeFields({ p: piped(['b|c']) }), holds);
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  for (const place of [
    { headers: { 'x-a': csv(['b,c']) } },
    { body: multipart({ a: csv(['b,c']) }) },
  ]) {
    const request = () => ({ method: 'POST', path: path`/things`, ...place });
    const { failure } = caller(t, upstream.url, { tool: { request } });
    assert.match((await failure()).message, holds);
  }
  assert.equal(upstream.seen.length, 0);
});

test('lists and objects in a header are of style simple (RFC 6570, section 3.2.2)', async (t) => {
  const area = { x: 1, of: { deep: [2] } };
  const headers = { 'x-l': csv([1, 'b']), 'x-o': csv({ x: 1, y: 'a=b' }), 'x-e': csv(area, true) };
  const seen = await sent(t, { request: { headers } });
  assert.equal(seen.headers['x-l'], '1,b');
  assert.equal(seen.headers['x-o'], 'x,1,y,a=b');
  assert.equal(seen.headers['x-e'], 'x=1,of={"deep":[2]}');
});

test('a number beyond all readers is refused, for JSON has none', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const request = (args: unknown) => ({ method: 'POST', path: path`/things`, body: json(args) });
  const { call } = caller(t, upstream.url, { tool: { request } });
  const error = await failureOf(call(JSON.parse('{"free":{"a":[1,-1e400]},"other":1e308}')));
  assert.deepEqual(error.message.split('\n').slice(1), [
    '- free.a[1]: must be a number that JSON readers can hold, below 1.8e308, but a larger one was given',
  ]);
  assert.equal(upstream.seen.length, 0);
});

test('an object within a list is JSON, wherever the list stands', () => {
  const value = [{ k: 'v' }, 7];
  const query = new URLSearchParams(encodeFields({ a: value, b: deep({ c: [{ d: [1] }] }) }));
  assert.deepEqual(
    [...query],
    [
      ['a', '{"k":"v"}'],
      ['a', '7'],
      ['b[c][0][d][0]', '1'],
    ],
  );
});

test('an object that no style speaks of is JSON, whatever its members are called', () => {
  const free: Record<string, unknown[]> = {};
  // As an argument comes whose schema says nothing of its members.
  Object.assign(free, { where: { year: 5 }, of: { deep: 'x' } });
  const query = new URLSearchParams(encodeFields({ ...free, b: 1 }));
  assert.deepEqual(Object.fromEntries(query), { where: '{"year":5}', of: '{"deep":"x"}', b: '1' });
});

test('deep values use brackets, to any depth', () => {
  const value = { gte: 1, in: ['a', 'b'], of: [{ price: 'p', none: undefined }] };
  const query = decodeURIComponent(encodeFields({ created: deep(value), one: deep('x') }));
  assert.equal(
    query,
    'created[gte]=1&created[in][0]=a&created[in][1]=b&created[of][0][price]=p&one=x',
  );
});

test('a deep value is refused within which something would be lost', () => {
  const lost = {
    null: { a: { b: [1, null] } },
    'an empty list': { a: { b: [1, []] } },
    'an empty object': { a: { b: [1, { none: undefined }] } },
  };
  for (const [what, value] of Object.entries(lost)) {
    const message = `expected a value in "f[a][b][1]", but ${what} was given, which cannot be written there: leave it out`;
    assert.throws(() => encodeFields({ f: deep(value) }), {
      code: 'invalid_arguments',
      message,
    });
  }
  assert.equal(encodeFields({ a: deep(null), b: deep([]), c: deep({}), d: 1 }), 'd=1');
});

test('a member of a deep value is refused that would be read as another one', () => {
  for (const name of ['price][$ne', 'a]', '[', '']) {
    const message = `expected names without brackets for the members of "f[a]", but ${JSON.stringify(name)} was given, which nobody would read as it is`;
    assert.throws(() => encodeFields({ f: deep({ a: { [name]: 1 } }) }), {
      code: 'invalid_arguments',
      message,
    });
  }
});

test('constants come from the provider; one whose variable is not set is left out', async (t) => {
  const seen = await sent(t, {
    request: { method: 'GET', query: { q: 'a b', n: 1 } },
    provider: {
      headers: {
        'Acme-Version': '2026-10-01',
        'Acme-Account': '{env:ACME_ACCOUNT}',
        'X-No': '{env:NO}',
      },
      query: { format: 'json', mailto: '{env:SERVICE_CONTACT}', no: '{env:NO}' },
    },
    env: { ACME_ACCOUNT: 'acct_1' },
  });
  assert.equal(seen.url, '/things?q=a%20b&n=1&format=json&mailto=ops%40example.com');
  assert.equal(seen.headers['acme-version'], '2026-10-01');
  assert.equal(seen.headers['acme-account'], 'acct_1');
  assert.equal(seen.headers['x-no'], undefined);
});

test('the User-Agent names product, version and contact', async (t) => {
  const usual = await sent(t, { request: {} });
  assert.equal(usual.headers['user-agent'], 'agent-tool-server/1.2.3 (ops@example.com)');
  const own = await sent(t, {
    request: {},
    provider: { userAgent: 'x/{version} {contact} {other}' },
  });
  assert.equal(own.headers['user-agent'], 'x/1.2.3 ops@example.com {other}');
});

const [contact, ownUrl] = ['ops@example.com', 'https://tools.example.com/agents'];
const around = { userAgent: 'x/{version} (of {contact})' };

for (const [what, options, usual, own] of [
  ['nobody', {}, 'agent-tool-server/1.2.3', 'agent-tool-server/1.2.3'],
  ['no address of this machine', { ownUrl: 'http://[::1]:8080' }, 'agent-tool-server/1.2.3'],
  [
    'the address of the server',
    { ownUrl },
    'agent-tool-server/1.2.3 (https://tools.example.com)',
    'x/1.2.3 (of https://tools.example.com)',
  ],
  [
    'a contact and the address of the server',
    { contact, ownUrl },
    'agent-tool-server/1.2.3 (ops@example.com; https://tools.example.com)',
    'x/1.2.3 (of ops@example.com; https://tools.example.com)',
  ],
] as const) {
  test(`the User-Agent names whom the operator has named: ${what}`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    const named = { contact: undefined, ...options };
    await caller(t, upstream.url, { options: named }).call();
    await caller(t, upstream.url, { options: named, provider: around }).call();
    const seen = upstream.seen.map(({ headers }) => headers['user-agent']);
    assert.deepEqual(seen, [usual, own ?? usual]);
  });
}

test('a header of the tool replaces a constant one', async (t) => {
  const seen = await sent(t, {
    request: { headers: { 'acme-version': '2', Accept: 'text/plain', 'X-N': 5, 'X-U': undefined } },
    provider: { headers: { 'Acme-Version': '1', Accept: 'application/vnd.acme+json' } },
  });
  assert.equal(seen.headers['acme-version'], '2');
  assert.equal(seen.headers.accept, 'text/plain');
  assert.equal(seen.headers['x-n'], '5');
  assert.equal(seen.headers['x-u'], undefined);
});

test('what is read as JSON may come under another media type, such as that of JSON in lines', async (t) => {
  for (const response of [undefined, { decode: 'json' } as const]) {
    const upstream = await startUpstream(t, (out) => sendJson(out, {}));
    await caller(t, upstream.url, { tool: response === undefined ? {} : { response } }).call();
    assert.equal(upstream.seen[0]?.headers.accept, 'application/json, */*;q=0.5');
  }
});

const forbidden = [
  'Host',
  'authorization',
  'Cookie',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'Proxy-Authorization',
  'Bad Name',
  'X-Key',
];

for (const name of forbidden) {
  test(`an argument cannot set the header ${name}`, async (t) => {
    const upstream = await startUpstream(t, (response) => sendJson(response, {}));
    const { failure } = caller(t, upstream.url, {
      provider: {
        auth: [
          {
            type: 'api_key',
            in: 'header',
            name: 'X-Key',
            format: '{token}',
            env: ['K'],
            required: true,
          },
        ],
      },
      tool: {
        request: () => ({ method: 'GET', path: path`/things`, headers: { [name]: 'x' } }),
      },
      options: { env: { K: 'key-123' } },
    });
    assert.equal((await failure()).code, 'invalid_arguments');
    assert.equal(upstream.seen.length, 0);
  });
}

test('header values hold visible ASCII only', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'a\u007f', 'ä', '\u0001']) {
    const request = () => ({ method: 'GET', path: path`/things`, headers: { 'x-a': value } });
    const error = await caller(t, upstream.url, { tool: { request } }).failure();
    assert.equal(error.code, 'invalid_arguments', JSON.stringify(value));
  }
  assert.equal(upstream.seen.length, 0);
});

test('a constant header that its variable spoils is a fault of the configuration', async (t) => {
  const { failure } = caller(t, 'http://127.0.0.1:1', {
    provider: { headers: { 'Acme-Account': '{env:ACME_ACCOUNT}' } },
    options: { env: { ACME_ACCOUNT: 'a\r\nX-Evil: 1' } },
  });
  const error = await failure();
  assert.equal(error.code, 'missing_credential');
  assert.match(error.message, /Acme-Account.+ACME_ACCOUNT/);
  assert.doesNotMatch(error.message, /Evil/);
});
