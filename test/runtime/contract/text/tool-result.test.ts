import assert from 'node:assert/strict';
import test from 'node:test';
import { resultText, structuredResult } from '#contract/text/tool-result';

const value = { items: [{ name: 'a "quoted" name\n', none: null }], next_cursor: 'x' };
const structured = { value, text: JSON.stringify(value) };

for (const untrusted of [false, true]) {
  const result = structuredResult(structured, { untrusted, title: 'Things' });
  const more = { resultType: 'complete', _meta: { of: 'the server' } };

  test(`the text of ${untrusted ? 'an untrusted' : 'a'} result says what its members say`, () => {
    assert.deepEqual(JSON.parse(resultText(result)), JSON.parse(JSON.stringify(result)));
    const longer = JSON.stringify({ ...result, ...more });
    assert.deepEqual(JSON.parse(resultText(result, more)), JSON.parse(longer));
  });

  test(`${untrusted ? 'untrusted ' : ''}structured content that was changed is written out anew`, () => {
    const changed = { ...result, structuredContent: { items: [] } };
    assert.deepEqual(JSON.parse(resultText(changed)), JSON.parse(JSON.stringify(changed)));
    const mended = Object.assign(structuredResult(structured, { untrusted, title: 'Things' }), {
      structuredContent: { other: true },
    });
    assert.deepEqual(JSON.parse(resultText(mended)).structuredContent, { other: true });
  });
}

test('the text is taken as it was written, without a look at the value', () => {
  const text = '{"written":"once"}';
  const result = structuredResult({ value, text }, { untrusted: false, title: 'Things' });
  assert.ok(resultText(result).endsWith(`,"structuredContent":${text}}`));
});

test('a result without data has no structured content', () => {
  const result = { content: [{ type: 'text', text: 'done' }], isError: true } as const;
  assert.equal(resultText(result), JSON.stringify(result));
});
