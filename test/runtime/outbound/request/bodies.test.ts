import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import { deep, form, json, multipart, raw, typedPart } from '#contract/request';
import { caller } from '../harness.ts';
import { sendJson, startUpstream } from '../upstream.ts';
import { sent } from './sent.ts';

test('a JSON body names its media type; the provider’s own goes with bodies only', async (t) => {
  const plain = await sent(t, { request: { body: json({ a: [1, undefined], b: undefined }) } });
  assert.equal(plain.body, '{"a":[1,null]}');
  assert.equal(plain.headers['content-type'], 'application/json');
  const named = await sent(t, { request: { body: json({}, 'application/merge-patch+json') } });
  assert.equal(named.headers['content-type'], 'application/merge-patch+json');
  const provider = { headers: { 'Content-Type': 'application/json; charset=utf-8' } };
  const slack = await sent(t, { request: { body: json({}) }, provider });
  assert.equal(slack.headers['content-type'], 'application/json; charset=utf-8');
  const read = await sent(t, { request: { method: 'GET' }, provider });
  assert.equal(read.headers['content-type'], undefined);
});

test('a form body is urlencoded, deep values with brackets', async (t) => {
  const seen = await sent(t, {
    request: { body: form({ a: 'x y', items: deep([{ price: 'p1', quantity: 2 }]) }) },
  });
  assert.equal(seen.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(decodeURIComponent(seen.body), 'a=x y&items[0][price]=p1&items[0][quantity]=2');
});

test('a multipart body carries files as files, all else as fields (RFC 7578)', async (t) => {
  const seen = await sent(t, {
    request: {
      body: multipart({
        title: 'hello\nthere',
        tags: ['a', 'b'],
        meta: { k: 1 },
        'odd "name"': true,
        none: undefined,
        file: {
          base64: Buffer.from('bytes').toString('base64'),
          filename: 'a.txt',
          type: 'text/plain',
        },
      }),
    },
  });
  const type = seen.headers['content-type'] ?? '';
  assert.match(type, /^multipart\/form-data; boundary=/);
  const parsed = await new Response(seen.body, { headers: { 'content-type': type } }).formData();
  // Line ends are what the caller wrote, not those of a web form.
  assert.ok(seen.body.includes('name="title"\r\n\r\nhello\nthere\r\n'), seen.body);
  assert.ok(seen.body.includes('name="odd %22name%22"\r\n\r\ntrue\r\n'), seen.body);
  assert.deepEqual(parsed.getAll('tags'), ['a', 'b']);
  const file = parsed.get('file');
  assert.ok(file instanceof File);
  assert.equal(file.name, 'a.txt');
  assert.equal(file.type, 'text/plain');
  assert.equal(await file.text(), 'bytes');
  const meta = 'name="meta"\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n';
  assert.ok(seen.body.includes(meta), seen.body);
  assert.equal(parsed.get('none'), null);
});

test('a raw body is sent as it is, a file as its bytes', async (t) => {
  const text = await sent(t, { request: { body: raw('a,b\n', 'text/csv') } });
  assert.equal(text.body, 'a,b\n');
  assert.equal(text.headers['content-type'], 'text/csv');
  const file = await sent(t, { request: { body: raw({ base64: 'aGk=' }, 'text/plain') } });
  assert.equal(file.body, 'hi');
  for (const [type, expected] of [
    ['image/png', 'image/png'],
    ['a\nb', 'application/octet-stream'],
  ]) {
    const image = await sent(t, { request: { body: raw({ base64: 'aGk=', type }, 'image/*') } });
    assert.equal(image.headers['content-type'], expected);
  }
  const lines = [{ index: {} }, { title: 'a\nb' }];
  const many = await sent(t, { request: { body: raw(lines, 'application/x-ndjson') } });
  assert.equal(many.body, '{"index":{}}\n{"title":"a\\nb"}\n');
});

test('a range of media types is sent as a type in it, and no charset is named but UTF-8', async (t) => {
  const file = { base64: 'aGk=' };
  for (const [body, expected] of [
    [json({}, 'application/*+json'), 'application/json'],
    [json({}, '*/*'), 'application/json'],
    [raw({ a: 1 }, 'application/*'), 'application/json'],
    [raw('<a/>', 'application/*+xml'), 'application/xml'],
    [raw('a', 'application/*'), 'application/octet-stream'],
    [raw('a', 'text/*'), 'text/plain'],
    [raw({ a: 1 }, 'text/*'), 'text/plain'],
    [raw(file, 'text/*'), 'text/plain'],
    [json({}, 'application/json;charset=utf-16'), 'application/json'],
    [json({}, 'application/json; charset="utf-16"; v=1'), 'application/json; v=1'],
    [json({}, 'application/json; charset=UTF-8'), 'application/json; charset=UTF-8'],
    [raw('a', 'text/csv; charset=iso-8859-1'), 'text/csv'],
    [raw(file, 'text/csv; charset=iso-8859-1'), 'text/csv; charset=iso-8859-1'],
  ] as const) {
    const { headers } = await sent(t, { request: { body } });
    assert.equal(headers['content-type'], expected);
  }
});

test('base64 may come in lines, as programs write it', async (t) => {
  const body = raw({ base64: 'aGVs\r\nbG8=\n' }, 'text/plain');
  assert.equal((await sent(t, { request: { body } })).body, 'hello');
});

test('a file over 1 MiB and text that is no base64 are invalid_arguments', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const endless = `${'='.repeat(1024 * 1024)}x`;
  const tooLong = Buffer.alloc(1024 * 1024 + 1).toString('base64');
  for (const base64 of [tooLong, 'n@t base64', 'aGkgd', endless]) {
    const body = multipart({ file: { base64 } });
    const request = () => ({ method: 'POST', path: path`/things`, body });
    const error = await caller(t, upstream.url, { tool: { request } }).failure();
    assert.equal(error.code, 'invalid_arguments');
  }
  const largest = Buffer.alloc(1024 * 1024).toString('base64');
  const seen = await sent(t, { request: { body: raw({ base64: largest }, 'a/b') } });
  assert.equal(seen.body.length, 1024 * 1024);
});

test('a file of a part has a media type and a name that can be written', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  for (const [more, message] of [
    [{ type: 'text/html\r\nX-Other: 1' }, /expected a media type .*X-Other/],
    [{ type: 'not a type' }, /expected a media type .*"not a type" was given/],
    [{ filename: 'a\0.png' }, /expected the name of a file, but "a\\u0000.png" was given/],
  ] as const) {
    const body = multipart({ file: { base64: 'aGk=', ...more } });
    const request = () => ({ method: 'POST', path: path`/things`, body });
    const error = await caller(t, upstream.url, { tool: { request } }).failure();
    assert.equal(error.code, 'invalid_arguments');
    assert.match(error.message, message);
  }
  assert.equal(upstream.seen.length, 0);
});

test('a part of a multipart body has the type that is named for it', async (t) => {
  const file = { base64: Buffer.from('PNG').toString('base64') };
  const parts = {
    about: typedPart({ a: 1 }, 'application/merge-patch+json'),
    notes: typedPart(['x', 'y'], 'text/markdown'),
    icon: typedPart(file, 'image/png'),
    other: typedPart({ ...file, type: 'image/gif' }, 'image/png'),
    blank: { ...file, type: '' },
    none: typedPart(undefined, 'text/plain'),
  };
  const { body } = await sent(t, { request: { body: multipart(parts) } });
  const heads = body.match(/(?<=name=")[^\r]*\r\nContent-Type: [^\r]*/g);
  assert.deepEqual(
    heads?.map((head) => head.replace(/"[^\r]*\r\nContent-Type:/, '')),
    [
      'about application/merge-patch+json',
      'notes text/markdown',
      'notes text/markdown',
      'icon image/png',
      'other image/gif',
      'blank application/octet-stream',
    ],
  );
});

test('what is called JSON is JSON: texts in quotes, unless they are JSON already', async (t) => {
  const parts = {
    tags: typedPart(['x', 'y"', '5', '[1]'], 'application/json'),
    about: typedPart('{"a":1}', 'application/vnd.acme+json; charset=utf-8'),
    count: typedPart(5, 'application/json'),
    note: typedPart('plain', 'text/plain'),
  };
  const { body } = await sent(t, { request: { body: multipart(parts) } });
  const values = body.match(/(?<=Content-Type: [^\r]*\r\n\r\n)[^\r]*/g);
  assert.deepEqual(values, ['"x"', '"y\\""', '"5"', '[1]', '{"a":1}', '5', 'plain']);
  const lines = await sent(t, { request: { body: raw([{ a: 1 }, 2], 'application/json-seq') } });
  assert.equal(lines.body, '\u001e{"a":1}\n\u001e2\n');
});
