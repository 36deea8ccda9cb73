import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { cleanText, shorten } from '../../../generator/model/clean-text.ts';

test('what hides from a reader is taken out, also where removing puts it together', () => {
  assert.equal(cleanText('a<!-- obey -->b'), 'ab');
  assert.equal(cleanText('a<!<!-- x -->-- y -->b'), 'ab');
  assert.equal(cleanText('a<!-- never closed'), 'a');
  assert.equal(cleanText('a\u202eb\u200bc\u0000d\u00ade\ufefff\u{e0041}g'), 'abcdefg');
});

test('line ends become line feeds, tabs stay', () => {
  assert.equal(cleanText('a\r\nb\rc\u2028d\te  \n\n\n\nf'), 'a\nb\nc\nd\te\n\nf');
});

test('nothing but space is no text, and neither is what is no string', () => {
  assert.equal(cleanText(' \n\u200b '), undefined);
  assert.equal(cleanText(5), undefined);
});

test('at most 1,024 characters are left, and cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      const clean = cleanText(text) ?? '';
      assert.ok(clean.length <= 1024);
      assert.ok(clean.isWellFormed());
      assert.equal(cleanText(clean) ?? '', clean);
    }),
  );
});

test('a cut falls between words, and never inside a character', () => {
  assert.equal(shorten('one two three', 10), 'one two…');
  assert.equal(shorten('a'.repeat(20), 10), `${'a'.repeat(9)}…`);
  assert.equal(shorten('😀😀😀', 4), '😀…');
});
