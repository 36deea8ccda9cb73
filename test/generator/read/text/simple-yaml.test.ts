import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { readSimpleYaml } from '../../../../generator/read/text/simple/simple-yaml.ts';
import { parseAnyYaml } from '../../../../generator/read/text/yaml-text.ts';

/** Whether the text is simple; then it says the same to the whole reader, at the same places. */
function isSimple(text: string): boolean {
  const simple = readSimpleYaml(text);
  if (simple === undefined) return false;
  const whole = parseAnyYaml(text);
  const shown = JSON.stringify(text.slice(0, 2_000));
  assert.deepEqual(whole.problems, [], shown);
  assert.deepEqual(simple.value, whole.value, shown);
  for (const path of [[], ['no such key'], ...pathsOf(whole.value)]) {
    assert.equal(simple.offsetOf(path), whole.offsetOf(path), `${shown} at ${path.join('/')}`);
  }
  return true;
}

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    return [at, ...pathsOf(inner, at)];
  });
}

const written = `# what descriptions hold
openapi: 3.1.0
info:
  title: 'It''s'
  description: |
    One
      two

    three
  x-folded: >-
    a
    b


     c

    d
  x-kept: |2+
     e

    f

paths:
  /a/{id}:get: { a: [1, -2.50, "x", {}], 'b': 2020-01-01, c: http://x/?q=a b }
  "/b": []
x-text: plain
  and more

  end
x-below:
  text below
  its key
list:
- a
- - b
  - c: ~
    d: TRUE
-
  e: "one\\
    \\ two\\u00e9
    three

    four"
- |
 text
`;

test('what descriptions hold is simple', () => {
  assert.equal(isSimple(written), true);
  assert.equal(isSimple(`---\n${written}`), true);
});

test('what only the whole reader understands, or refuses, is not simple', () => {
  const others = [
    '',
    '# nothing',
    'text',
    '{"a": 1}',
    'a: &b c',
    'a: *b',
    '<<: {a: b}',
    'a: !!str 1',
    '%YAML 1.2\n---\na: b',
    'a: b\n---\nc: d',
    'a: b\n...',
    'a: b\na: c',
    'a: {b: c, b: d}',
    '? a\n: b',
    'a:\tb',
    '\ta: b',
    'a: b: c',
    'a: b\n c: d',
    'a: b #c\n  d',
    'a: |\n   \n  b\n',
    'a: |x\n  b\n',
    'a: "b\nc"',
    'a: "\\q"',
    "a: 'b",
    'a: [b\n]',
    'a: [b,, c]',
    'a: [, b]',
    'a: [b, c: d]',
    'a: {b}',
    'a: .inf',
    'a: 1e999',
    'a: 0x1f',
    'a: @b',
    '- ',
    ': a',
    'a: b\r\nc: d\r\n',
    `a: ${'[ '.repeat(200)}`,
  ];
  for (const text of others) assert.equal(isSimple(text), false, JSON.stringify(text));
});

test('whatever a text is made to, what is simple in it says the same to the whole reader', () => {
  const bits = fc.constantFrom(
    ...['\n', ' ', '  ', '\n  ', '\n- ', '- ', ': ', ':', ' #', '#', '"', "'", '[', ']', '{', '}'],
    ...[',', '|', '>', '|-\n', '|+\n', '>1\n', '\\', '\\\n', '\t', '&a ', '*a', '!', '%', '?', '~'],
    ...['0x1', '1e3', '-0', '<<: ', '---', '...', 'é', '\u00a0', '\ufeff', 'k: ', '\u2028', '%'],
  );
  const change = fc.record({ at: fc.nat(), cut: fc.nat(3), bit: fc.option(bits, { nil: '' }) });
  const changed = fc
    .tuple(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.integer({ min: 20, max: 700 }),
    )
    .map(([changes, from, length]) => {
      const lineStart = written.lastIndexOf('\n', from % written.length) + 1;
      let text = written.slice(lineStart, lineStart + length);
      for (const { at, cut, bit } of changes) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + bit + text.slice(place + cut);
      }
      return text;
    });
  const soup = fc.array(fc.oneof(bits, fc.constantFrom('a', 'b: ', '1', '"c"')), { maxLength: 14 });
  let simple = 0;
  const texts = fc.oneof(
    changed,
    soup.map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      if (isSimple(text)) simple++;
    }),
    { numRuns: 6_000 },
  );
  assert.ok(simple > 300, `${simple} texts were simple`);
});

test('the files of the house say the same to both readers', () => {
  const files = globSync(['specs/surfaces/*/*.yaml', 'test/golden/*/*.yaml']);
  const simple = files.filter((file) => isSimple(readFileSync(file, 'utf8')));
  assert.ok(simple.length > files.length / 2, `${simple.length} of ${files.length} are simple`);
});

test('a text that nests and repeats without end is read or left in time', () => {
  const many = 50_000;
  const texts: readonly string[] = [
    'a: ['.repeat(many),
    '- '.repeat(many),
    `a: "${'\\'.repeat(many)}`,
    `a: ${'"\\'.repeat(many)}`,
    `a: '${"''".repeat(many)}`,
    `${'a '.repeat(many)}: b`,
    `a:${'\n #'.repeat(many)}\n b`,
    `a: |\n${'\n'.repeat(many)}`,
    `a: b${'\n  c'.repeat(many)}: d`,
  ];
  for (const text of texts) assert.doesNotThrow(() => readSimpleYaml(text));
});
