import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { readQuickYaml } from '../../../../generator/read/text/quick/quick-yaml.ts';
import { parseAnyYaml } from '../../../../generator/read/text/yaml-text.ts';

/** Whether the quick reader takes the text; then it says the same to the whole one, at the same places. */
function isQuick(text: string): boolean {
  const quick = readQuickYaml(text);
  if (quick === undefined) return false;
  const whole = parseAnyYaml(text);
  const shown = JSON.stringify(text.slice(0, 2_000));
  assert.deepEqual(whole.problems, [], shown);
  assert.deepEqual(quick.value, whole.value, shown);
  for (const path of [[], ['no such key'], ...pathsOf(whole.value)]) {
    assert.equal(quick.offsetOf(path), whole.offsetOf(path), `${shown} at ${path.join('/')}`);
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

test('the quick reader takes what descriptions hold', () => {
  assert.equal(isQuick(written), true);
  assert.equal(isQuick(`---\n${written}`), true);
  assert.equal(isQuick(written.replaceAll('\n', '\r\n')), true);
});

test('what is wrong, or what there is something to say about, is left to the whole reader', () => {
  const others = [
    '',
    '# nothing',
    'text',
    'a: &b c',
    'a: *b',
    '&b a: c',
    '- &b c',
    '<<: {a: b}',
    'a: !!str 1',
    'a: !!map {}',
    '%YAML 1.2\n---\na: b',
    'a: b\n---\nc: d',
    'a: b\na: c',
    'a: {b: c, b: d}',
    '? [a]\n: b',
    '? |\n  a\n: b',
    'a: b: c',
    'a: b\n c: d',
    'a: b #c\n  d',
    'a: |x\n  b\n',
    'a: "b\nc"',
    'a: "\\q"',
    "a: 'b",
    'a: [b\n]',
    'a: [b,, c]',
    'a: [, b]',
    'a: .inf',
    'a: .nan',
    'a: 1e999',
    `a: ${'9'.repeat(400)}`,
    `a: 0x${'f'.repeat(400)}`,
    `${'a'.repeat(1_025)}: b`,
    'a: @b',
    '- ',
    ': a',
    `a: ${'[ '.repeat(200)}`,
    Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
  ];
  for (const text of others) assert.equal(isQuick(text), false, JSON.stringify(text));
});

test('what the two readers take differently is left to the whole one', () => {
  const others = [
    'a: "\\U00110000"',
    '"\\U00110000": a',
    'a: "b\\\n\n  c"',
    'a: >\n  b\n\t',
    'a: >1\n  b\n  ',
    'a: |2+\n    ',
    'a: >1\n  \n',
    'a: |1\n  b\n  \nc: d',
    'a:\n\t',
    'a:\n# c\n b\nd: e',
    '-\n# c\n b\n- d',
    'a: {b: c\n# d\n}',
    'a: [b: c]',
    'a:\n- ""b: c',
    'a:\n- ""?\n b',
    '...\na: b',
    ' ---\na: b',
    '%a\n---\nb: c',
    'a:\r',
    'a: b\n\ufeff',
  ];
  for (const text of others) assert.equal(isQuick(text), false, JSON.stringify(text));
});

test('maps have no prototype, and the names of its members are keys like any other', () => {
  const text = '__proto__: {a: 1}\nconstructor: 2\n';
  assert.equal(isQuick(text), true);
  const value = readQuickYaml(text)?.value as object;
  assert.equal(Object.getPrototypeOf(value), null);
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor']);
});

test('whatever a text is made to, it says the same to both readers if the quick one takes it', () => {
  const bits = fc.constantFrom(
    ...['\n', ' ', '  ', '\n  ', '\n- ', '- ', ': ', ':', ' #', '#', '"', "'", '[', ']', '{', '}'],
    ...[',', '|', '>', '|-\n', '|+\n', '>1\n', '\\', '\\\n', '\t', '&a ', '*a', '!', '%', '?', '~'],
    ...['\r\n', '? ', '\\U0001f600', '[b: c]', '.inf', '\n\t', '\n...\n', ' # c\n', '\n# c\n'],
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
  let quick = 0;
  const texts = fc.oneof(
    changed,
    soup.map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      if (isQuick(text)) quick++;
    }),
    { numRuns: 6_000 },
  );
  assert.ok(quick > 300, `${quick} texts were quick`);
});

test('the files of the house say the same to both readers', () => {
  const files = globSync(['specs/surfaces/*/*.yaml', 'test/golden/*/*.yaml']);
  const quick = files.filter((file) => isQuick(readFileSync(file, 'utf8')));
  assert.ok(quick.length > 0.9 * files.length, `${quick.length} of ${files.length} are quick`);
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
    `a: [${'{b: c}, '.repeat(many)}]`,
    `a: [${'b: c, '.repeat(many)}]`,
    '&a '.repeat(many),
    Array.from({ length: 90 }, (_, depth) => `!a\n${' '.repeat(depth + 1)}`).join(''),
    `-${' '.repeat(many)}|\n${' '.repeat(many)} b`,
  ];
  for (const text of texts) assert.doesNotThrow(() => readQuickYaml(text));
});
