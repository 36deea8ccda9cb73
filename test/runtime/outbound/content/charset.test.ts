import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readText } from '../../../../runtime/outbound/content/charset.ts';
import { answered } from './answered.ts';

const name = '{"name":"Café Müller – 5 €"}';
const guess =
  'the answer is no UTF-8, names no charset and was read as windows-1252: its letters may be wrong';

/** As a vendor writes it whose programs know Western Europe alone. */
function western(text: string): Buffer {
  return Buffer.from(text.replaceAll('€', '\x80').replaceAll('–', '\x96'), 'latin1');
}

function wide(text: string, { isBig, isMarked }: { isBig: boolean; isMarked: boolean }): Buffer {
  const bytes = Buffer.from(`${isMarked ? '\ufeff' : ''}${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

suite('a text that names no charset is read by its bytes', () => {
  const texts: readonly (readonly [string, Buffer, string])[] = [
    ['UTF-8', Buffer.from(name), name],
    ['windows-1252', western(name), name],
    ['one letter of it at the end', western('Café'), 'Café'],
    ['UTF-16LE with its mark', wide(name, { isBig: false, isMarked: true }), name],
    ['UTF-16BE with its mark', wide(name, { isBig: true, isMarked: true }), name],
    ['JSON in UTF-16LE', wide(name, { isBig: false, isMarked: false }), name],
    ['JSON in UTF-16BE', wide(name, { isBig: true, isMarked: false }), name],
    ['UTF-8 that says a letter is lost', Buffer.from('{"a":"\ufffd"}'), '{"a":"\ufffd"}'],
    [
      'UTF-8 with a wrong byte, of which the rest stays',
      Buffer.concat([Buffer.from('é'), Buffer.of(255)]),
      'é\ufffd',
    ],
    ['a file', Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 0x1a), '\ufffdPNG\0\x1a'],
  ];
  for (const [what, bytes, text] of texts) {
    test(what, () => assert.equal(readText(bytes, undefined).text.replace(/^\ufeff/, ''), text));
  }

  test('but by the charset that it is said to be in', () => {
    assert.equal(readText(Buffer.of(0xe9), 'utf-8').text, '\ufffd');
    assert.equal(readText(Buffer.of(0xd6), 'ISO-8859-5').text, 'ж');
    const big = wide('a', { isBig: true, isMarked: true });
    assert.equal(readText(big, 'UTF-16').text, 'a');
  });
});

for (const size of ['small', 'large'] as const) {
  const filler = size === 'large' ? `"filler":"${'x'.repeat(80_000)}",` : '';
  test(`a ${size} answer in windows-1252 keeps its letters, and says how it was read`, async (t) => {
    const body = western(`{"name":"Café",${filler}"price":"5 €"}`);
    const { data } = await answered(t, { body });
    const found = await data();
    assert.equal(found['name'], 'Café');
    assert.equal(found['hint'], guess);
  });
}

test('an answer in UTF-16 is read, as JSON and as text, and none of them is guessed', async (t) => {
  for (const isBig of [true, false]) {
    const json = await answered(t, { body: wide(name, { isBig, isMarked: true }) });
    assert.deepEqual(await json.data(), JSON.parse(name));
    const body = wide('so wär es', { isBig, isMarked: true });
    const text = await answered(t, { type: 'text/plain', body });
    assert.deepEqual(await text.data(), { text: 'so wär es' });
  }
});

test('an error keeps its letters, and bytes that are no text are not told', async (t) => {
  const said = await answered(t, { status: 400, body: western('{"message":"Schlüssel fehlt"}') });
  assert.match((await said.failure()).message, /Schlüssel fehlt$/);
  const file = Buffer.from(`\x89PNG\r\n\x1a\n\0${'é'.repeat(20)}`, 'latin1');
  const bytes = await answered(t, { status: 400, body: file });
  assert.match((await bytes.failure()).message, /answered 400$/);
  const json = await answered(t, { body: file });
  assert.match((await json.failure()).message, /its JSON is broken/);
});

const russian = Buffer.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
const japanese = Buffer.of(0x82, 0xb1, 0x82, 0xf1);

suite('a text that is no UTF-8 is read by the charset that it names itself', () => {
  const named: readonly (readonly [string, string, Buffer, string])[] = [
    ['<meta charset=windows-1251><p>', '', russian, 'Привет'],
    ['<head><meta charset="Shift_JIS">', '', japanese, 'こん'],
    [
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
      '',
      russian,
      'Привет',
    ],
    ['<?xml version="1.0" encoding="windows-1251"?><a>', '</a>', russian, 'Привет'],
    // Its bytes are ASCII alone.
    ['<meta charset=iso-2022-jp>', '', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['<meta charset="no such thing">', '', Buffer.from('é'), 'é'],
    // Whoever wrote this did not mean it.
    ['<meta charset="windows-1251">', '', Buffer.from('Привет'), 'Привет'],
  ];
  for (const [before, after, bytes, text] of named) {
    test(before, () => {
      const page = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
      assert.deepEqual(readText(page, undefined), { text: `${before}${text}${after}` });
    });
  }

  test('but not by what stands far behind', () => {
    const page = Buffer.concat([
      Buffer.from(`<p>${' '.repeat(1100)}<meta charset="windows-1251">`),
      russian,
    ]);
    assert.equal(readText(page, undefined).guessed, 'windows-1252');
  });
});

test('a page that is expected, and one that says no, are read by their own charset', async (t) => {
  const page = Buffer.concat([
    Buffer.from('<html><head><meta charset="windows-1251"><title>'),
    russian,
    Buffer.from('</title></head></html>'),
  ]);
  const found = await answered(t, {
    type: 'text/html',
    body: page,
    response: { decode: 'text' },
  });
  assert.match(String((await found.data())['text']), /Привет/);
  const refused = await answered(t, { type: 'text/html', body: page, status: 403 });
  assert.match((await refused.failure()).message, /an HTML page: Привет$/);
});

for (const size of ['small', 'large'] as const) {
  test(`a ${size} text of which the charset is guessed says so`, async (t) => {
    const filler = Buffer.from(size === 'large' ? 'x'.repeat(80_000) : '');
    const body = Buffer.concat([russian, filler]);
    const { data } = await answered(t, { type: 'text/plain', body });
    assert.equal((await data())['hint'], guess);
  });
}
