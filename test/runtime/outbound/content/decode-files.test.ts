import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import { caller } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { answered } from './answered.ts';

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
    'image/png': Buffer.concat([png, Buffer.alloc(256 * 1024)]),
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

const images: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe0', 'hex'),
  'image/gif': Buffer.from('GIF89a'),
  'image/webp': Buffer.from('RIFF\0\0\0\0WEBP'),
  'image/avif': Buffer.from('\0\0\0\x20ftypavif'),
};

test('an image is of the type that its bytes have, whatever it is called', async (t) => {
  for (const [mimeType, body] of Object.entries(images)) {
    const type = mimeType === 'image/png' ? 'image/webp' : 'image/png';
    const { content, structuredContent } = await (await answered(t, { type, body })).call();
    assert.deepEqual(content, [{ type: 'image', data: body.toString('base64'), mimeType }]);
    assert.deepEqual(structuredContent, { mime_type: mimeType, size: body.length });
  }
});

test('what is called an image and is none is mere bytes, and said to be', async (t) => {
  for (const type of Object.keys(images)) {
    const body = 'Please log in';
    const { content } = await (await answered(t, { type, body })).call();
    const [block, told] = content;
    assert.ok(block?.type === 'resource', type);
    assert.equal(block.resource.mimeType, 'application/octet-stream');
    assert.ok(told?.type === 'text');
    assert.equal(
      told.text,
      `Acme calls this ${type}, but it is no such image: only its bytes are given.`,
    );
  }
});

test('a page that is called a file is a text, and said to be one; as mere bytes it is a file', async (t) => {
  const body = '\ufeff\n<!DOCTYPE html><title>Please log in</title>';
  for (const type of ['application/pdf', 'image/png', 'audio/mpeg']) {
    const { structuredContent } = await (await answered(t, { type, body })).call();
    const hint = `the vendor calls this ${type}, but it is a page in HTML`;
    assert.deepEqual(structuredContent, { text: body.slice(1), hint });
  }
  const type = 'application/octet-stream';
  const [file] = (await (await answered(t, { type, body })).call()).content;
  assert.equal(file?.type, 'resource');
});

test('the words of a file that is a short text stand beside its bytes, as those of strangers', async (t) => {
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(200, { 'content-type': type }).end(body);
  });
  const credential = 'token-0123456789';
  const { call } = caller(t, upstream.url, {
    provider: { auth: [{ type: 'bearer', env: ['T'], required: true }] },
    tool: { response: { decode: 'binary', untrusted: true, maxBytes: 100 } },
    options: { env: { T: credential } },
  });
  let type = 'text/plain; charset=utf-8';
  let body: string | Buffer = `# Größe\n${credential}\n`;
  const shown = async () => {
    const [file, ...others] = (await call()).content;
    assert.ok(file?.type === 'resource');
    assert.ok(Buffer.from(file.resource.blob ?? '', 'base64').equals(Buffer.from(body)));
    return others.map((each) => (each.type === 'text' ? each.text : each.type));
  };
  for (type of [type, 'application/octet-stream', 'application/vnd.acme+yaml']) {
    const [text = '', ...others] = await shown();
    assert.match(text, /^Data from Acme, .*\n\[data \w+\]\n# Größe\n\[redacted\]\n\n\[end/s, type);
    assert.deepEqual(others, []);
  }
  for (body of ['x'.repeat(101), Buffer.from([0x61, 0xff]), 'a\0b']) {
    assert.deepEqual(await shown(), []);
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

for (const [disposition, name] of [
  [undefined, 'things'],
  ['attachment', 'things'],
  ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
  ['inline; filename=a.pdf; size=3', 'a.pdf'],
  ["attachment; filename=x.pdf; filename*=UTF-8''%C3%A4%20b.pdf", 'ä b.pdf'],
  // No name is a path, or hides what stands in it.
  ['attachment; filename="../../etc/a.pdf"', 'a.pdf'],
  ['attachment; filename="C:\\\\b\\\\a.pdf"', 'a.pdf'],
  ["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
  ['attachment; filename=".."', 'things'],
  ["attachment; filename*=UTF-8''%zz", '%zz'],
  // What vendors write that is not quite as it should be.
  ['attachment; filename="C:\\Users\\x\\a.pdf"', 'a.pdf'],
  ['attachment; filename=my report.pdf', 'my report.pdf'],
  ['attachment; filename="a;b.pdf"', 'a;b.pdf'],
  ['form-data; name="x; filename=b.exe"; filename="a.pdf"', 'a.pdf'],
  ['attachment; filename*="UTF-8\'\'a%20b.pdf"', 'a b.pdf'],
  ['attachment; filename="=?UTF-8?B?5pel5/pysYWJj?="', 'things'],
  [Buffer.from('attachment; filename="résumé.pdf"').toString('latin1'), 'résumé.pdf'],
] as const) {
  test(`a file of the disposition ${disposition} is called ${name} (RFC 6266)`, async (t) => {
    const headers = disposition === undefined ? {} : { 'content-disposition': disposition };
    const { data } = await answered(t, { type: 'application/pdf', body: '%PDF-1.7', headers });
    assert.equal((await data())['name'], name);
  });
}

test('a file whose address has a path in its last part is called as the end of that', async (t) => {
  const upstream = await startUpstream(t, (out) => {
    out.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
  });
  const request = () => ({ method: 'GET', path: path`/raw/${'docs/a b.pdf'}` }) as const;
  const { data } = caller(t, upstream.url, { tool: { request: request as never } });
  assert.equal((await data())['name'], 'a b.pdf');
});

for (const [location, uri] of [
  ['/files/a.pdf?sig=1', '/files/a.pdf?sig=1'],
  ['/files/a.pdf?sig=1&k=tok_1234567890', '/files/a.pdf'],
  ['/files/tok_1234567890/a.pdf', '/'],
] as const) {
  for (const linkOnly of [false, true]) {
    test(`the address ${location} of a ${linkOnly ? 'link' : 'file'} is told without the credential`, async (t) => {
      const upstream = await startUpstream(t, (response, request) => {
        if (request.url === '/things') response.writeHead(302, { location }).end();
        else response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
      });
      const { call } = caller(t, upstream.url, {
        provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
        tool: { response: { ...(linkOnly && { linkOnly }) } },
        options: { env: { ACME_TOKEN: 'tok_1234567890' } },
      });
      const result = await call();
      assert.doesNotMatch(JSON.stringify(result), /tok_1234567890/);
      const { uri: told } = result.structuredContent as { uri: string };
      assert.equal(told, upstream.url + uri);
    });
  }
}

test('the name that a vendor gives a file is told without the credential', async (t) => {
  const upstream = await startUpstream(t, (response, { headers }) => {
    const key = headers.authorization?.replace('Bearer ', '');
    response
      .writeHead(200, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="of ${key}.pdf"`,
      })
      .end('%PDF-1.7');
  });
  const { call } = caller(t, upstream.url, {
    provider: { auth: [{ type: 'bearer', env: ['ACME_TOKEN'], required: true }] },
    options: { env: { ACME_TOKEN: 'tok_1234567890' } },
  });
  const result = await call();
  assert.doesNotMatch(JSON.stringify(result), /tok_1234567890/);
  assert.match(JSON.stringify(result), /of \[redacted\]\.pdf/);
});
