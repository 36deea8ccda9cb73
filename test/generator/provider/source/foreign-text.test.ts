import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { foreignText } from '../../../../generator/provider/source/foreign-text.ts';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

const page = `<!DOCTYPE html>
<html><head><link rel="stylesheet" href="/static/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: "./v3/api-docs?key=abc", dom_id: '#swagger-ui' })</script></body></html>`;

test('a page that shows a description is not read as one; it tells where the description is', () => {
  const bytes = Buffer.from(page);
  assert.match(
    foreignText(bytes, 'https://api.acme.example/docs/') ?? '',
    /^is a page of HTML, not a description; it names https:\/\/api\.acme\.example\/docs\/v3\/api-docs$/,
  );
  assert.match(foreignText(bytes, undefined) ?? '', /it names v3\/api-docs$/);
  const bare = Buffer.from('<html><body>Sign in</body></html>');
  assert.match(foreignText(bare, undefined) ?? '', /swagger\.json or v3\/api-docs$/);
});

const others = [
  [gzipSync(acme), /gzip: unpack it first/],
  [Buffer.from('PK\x03\x04\x14\0'), /ZIP archive/],
  [Buffer.from('%PDF-1.7\n'), /a PDF/],
  [Buffer.from('#%RAML 1.0\ntitle: x\n'), /RAML/],
  [Buffer.from('syntax = "proto3";\n'), /Protocol Buffers/],
  [
    Buffer.from(
      '<?xml version="1.0"?>\n<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"/>',
    ),
    /WSDL/,
  ],
  [Buffer.from('\ufeff<?xml version="1.0"?><edmx:Edmx Version="4.0"/>'), /OData/],
] as const;

for (const [bytes, reason] of others) {
  test(`what is handed over in the place of a description is named: ${reason.source}`, async (t) => {
    const place = createWorkplace(t);
    writeFileSync(join(place.base, 'described'), bytes);
    const { code, err } = await place.run('add', 'acme', '--openapi', 'described');
    assert.equal(code, exitCodes.errors);
    assert.match(err, /^described is /);
    assert.match(err, reason);
  });
}

test('a description is never taken for something else', () => {
  for (const text of [acme, `# <html>\n${acme}`, '{"openapi":"3.1.0"}', '']) {
    assert.equal(foreignText(Buffer.from(text), undefined), undefined);
  }
});

for (const encoding of ['utf-16le', 'utf-16be'] as const) {
  test(`a description in ${encoding} with its byte order mark is read`, async (t) => {
    const place = createWorkplace(t);
    const bytes = Buffer.from(`\ufeff${acme}`, 'utf16le');
    writeFileSync(join(place.base, 'acme.yaml'), encoding === 'utf-16le' ? bytes : bytes.swap16());
    assert.equal((await place.run('add', 'acme', '--openapi', 'acme.yaml')).code, exitCodes.ok);
  });
}

for (const [what, bytes, read, told] of [
  [
    'in windows-1252',
    Buffer.from('Stra\xdfen \x93hier\x94', 'latin1'),
    'Straßen “hier”',
    'windows-1252',
  ],
  [
    'in UTF-8 but for a byte',
    Buffer.from('Stra\xc3\x9fen hi\xeber', 'latin1'),
    'Straßen hi\ufffder',
    'unknown letters',
  ],
] as const) {
  test(`a description ${what} is read, with a warning`, async (t) => {
    const place = createWorkplace(t);
    const [before = '', after = ''] = acme.split('List teams');
    assert.notEqual(after, '');
    const file = [Buffer.from(`${before}List `), bytes, Buffer.from(after)];
    writeFileSync(join(place.base, 'acme.yaml'), Buffer.concat(file));
    const { code, err, out } = await place.run('add', 'acme', '--openapi', 'acme.yaml');
    assert.equal(code, exitCodes.ok);
    assert.match(out + err, new RegExp(told));
    const kept = place.read('specs/providers/acme/curation.yaml');
    assert.ok(kept.includes(read), kept);
  });
}
