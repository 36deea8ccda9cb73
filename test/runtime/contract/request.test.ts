import assert from 'node:assert/strict';
import test from 'node:test';
import { ToolError } from '#contract/errors';
import {
  asText,
  csv,
  cursorNumber,
  dateTime,
  digits,
  digitsText,
  exploded,
  form,
  json,
  jsonText,
  offset,
  optional,
  others,
  pageNumber,
  piped,
  spaced,
} from '#contract/request';

test('an absent list, object or cursor stays absent or starts at the beginning', () => {
  assert.equal(csv(undefined), undefined);
  assert.equal(jsonText(undefined), undefined);
  assert.equal(pageNumber(undefined, 1), 1);
  assert.equal(asText(pageNumber('2', 1)), '2');
  assert.equal(asText(undefined), undefined);
  assert.equal(offset(undefined), 0);
});

test('lists are joined by style (OpenAPI 3.1, style values)', () => {
  assert.equal(String(csv(['a', 1, true])), 'a,1,true');
  assert.equal(String(spaced(['a', 'b'])), 'a b');
  assert.equal(String(piped(['a', 'b'])), 'a|b');
});

test('objects are joined as names and values, a lone value is itself (OpenAPI 3.1, style values)', () => {
  assert.equal(String(csv({ R: 100, G: 200 })), 'R,100,G,200');
  assert.equal(String(csv({ R: 100, G: 200 }, true)), 'R=100,G=200');
  assert.equal(piped('a'), 'a');
});

test('members of exploded objects have one place each in a query', () => {
  const where = { color: 'red', size: undefined, tags: ['a', 'b'] };
  const all = exploded({ where, of: { kind: 'x' }, none: undefined }, ['size', 'page']);
  assert.deepEqual(all, { color: 'red', tags: ['a', 'b'], kind: 'x' });
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof ToolError && error.code === 'invalid_arguments' && message.test(error.message);
  assert.throws(() => exploded({ where, of: { color: 'red' } }), refused(/"color".*"of".*"where"/));
  assert.throws(() => exploded({ where: { page: 2 } }, ['page']), refused(/"page".*"where"/));
});

test('a bare date becomes a date-time, anything else is refused (RFC 3339 section 5.6)', () => {
  assert.equal(dateTime('2026-11-21'), '2026-11-21T00:00:00Z');
  assert.equal(dateTime('2026-11-21T10:00:00+01:00'), '2026-11-21T10:00:00+01:00');
  assert.equal(dateTime('2026-11-21T10:00:00+01'), '2026-11-21T10:00:00+01:00');
  assert.equal(dateTime('2026-11-21T10:00:00.5-0130'), '2026-11-21T10:00:00.5-0130');
  for (const text of ['yesterday', '2026-02-30', '2026-11-21T10:00:00', '2026-11-21T25:00:00Z']) {
    assert.throws(
      () => dateTime(text),
      (error) => error instanceof ToolError && error.message.includes(JSON.stringify(text)),
    );
  }
  assert.equal(dateTime(undefined), undefined);
});

for (const cursor of ['', 'x', '-1', '1.5', '1e3x', '99999999999999999999']) {
  test(`a cursor that no answer gave is refused: ${JSON.stringify(cursor)}`, () => {
    assert.throws(
      () => pageNumber(cursor, 1),
      (error) => error instanceof ToolError && error.message.includes('next_cursor'),
    );
  });
}

test('a body that may be left out is left out when all of its members are absent', () => {
  assert.equal(optional(json({ a: undefined })), undefined);
  assert.equal(optional(form({ a: undefined })), undefined);
  assert.deepEqual(optional(json({ a: null })), { kind: 'json', value: { a: null } });
});

test('the digits of a whole number beyond 2^53 are a number in JSON and a text elsewhere', () => {
  const long = '9007199254740993';
  assert.equal(JSON.stringify({ id: digits(long), small: digits(7) }), `{"id":${long},"small":7}`);
  assert.equal(digitsText(long), long);
  assert.deepEqual(
    [digits(undefined), digits(null), digitsText(undefined)],
    [undefined, null, undefined],
  );
  for (const write of [digits, digitsText]) {
    assert.throws(() => write(2 ** 53), {
      code: 'invalid_arguments',
      message: /the digits of a longer one as text, but 9007199254740992 was given/,
    });
  }
});

test('a member that has an argument of its own is refused among the others', () => {
  const named = ['title', ['since', 'changed_at']] as const;
  assert.equal(others(undefined, named), undefined);
  assert.deepEqual(others({ more: 1 }, named), { more: 1 });
  assert.throws(() => others({ more: 1, title: 7 }, named), {
    code: 'invalid_arguments',
    message: /"title" was given among them, which has an argument of its own: give it as "title"$/,
  });
  assert.throws(() => others({ since: 'x' }, named), { message: /"since" .* as "changed_at"$/ });
});

test('a list of whole numbers takes digits, too', () => {
  const long = '9007199254740993';
  assert.equal(JSON.stringify(digits([long, 2, null])), `[${long},2,null]`);
  assert.deepEqual(digitsText([long, 2]), [long, 2]);
  assert.equal(digits(undefined), undefined);
  assert.throws(() => digits([1, 2 ** 53]), { code: 'invalid_arguments' });
});

test('digits beyond the 64 bits of their format are refused', () => {
  const right = ['9223372036854775807', '-9223372036854775808'];
  for (const text of right) assert.equal(digitsText(text), text);
  assert.equal(digitsText('18446744073709551615', 'uint64'), '18446744073709551615');
  for (const write of [digits, digitsText]) {
    for (const text of ['9223372036854775808', '-9223372036854775809', '1e3']) {
      const message = new RegExp(`format int64, but "${text}" was given`);
      assert.throws(() => write(text), { code: 'invalid_arguments', message });
    }
    for (const text of ['18446744073709551616', '-1']) {
      const message = new RegExp(`format uint64, but "${text}" was given`);
      assert.throws(() => write(text, 'uint64'), { code: 'invalid_arguments', message });
    }
  }
});

test('a cursor that is a number is one before it reaches the vendor', () => {
  assert.deepEqual(['3', '-7', '1.5', undefined].map(cursorNumber), [3, -7, 1.5, undefined]);
  assert.equal(cursorNumber('9007199254740993'), '9007199254740993');
  for (const cursor of ['x y', '', '1&a=b', '0x10', '1e3', '9'.repeat(21)]) {
    assert.throws(() => cursorNumber(cursor), {
      code: 'invalid_arguments',
      message: /next_cursor/,
    });
  }
});
