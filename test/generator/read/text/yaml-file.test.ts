import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readYaml } from '../../../../generator/read/text/yaml-file.ts';

function read(t: TestContext, text: string | Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'yaml-file-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.yaml'), text);
  return readYaml(join(folder, 'a.yaml'), folder);
}

function problems(result: ReturnType<typeof readYaml>): string[] {
  return result.diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

test('values come with the place of every key and sequence item', (t) => {
  const { value, locate, diagnostics } = read(t, 'a/b:\n  - x: 1\n    y: [1, 2]\n200: ok\n');
  assert.deepEqual(diagnostics, []);
  assert.equal(JSON.stringify(value), '{"200":"ok","a/b":[{"x":1,"y":[1,2]}]}');
  assert.deepEqual(locate('/a~1b/0/y/1'), { file: 'a.yaml', line: 3, column: 12 });
  assert.deepEqual(locate('/200'), { file: 'a.yaml', line: 4, column: 1 });
});

test('a pointer to nothing gives the nearest ancestor', (t) => {
  const { locate } = read(t, 'a:\n  b: 1\n');
  assert.deepEqual(locate('/a/c/d'), { file: 'a.yaml', line: 1, column: 1 });
  assert.deepEqual(locate('/a/b/c'), { file: 'a.yaml', line: 2, column: 3 });
});

for (const [what, text, place] of [
  ['flow lists', `a: ${'['.repeat(8000)}${']'.repeat(8000)}\n`, '1:404'],
  ['lists in a line', `${'- '.repeat(8000)}x\n`, '1:803'],
] as const) {
  test(`${what} that are deeper than the stack are refused where they become too deep`, (t) => {
    const { value, diagnostics } = read(t, text);
    assert.equal(value, undefined);
    assert.deepEqual(
      diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`),
      [`${place} values are nested deeper than 400 levels`],
    );
  });
}

test('a key called __proto__ is only a property', (t) => {
  const { value } = read(t, '__proto__: {polluted: true}\n');
  assert.deepEqual(Object.keys(value as object), ['__proto__']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(Object.getPrototypeOf(value), null);
});

test('aliases become copies that keep the place of their anchor', (t) => {
  const { value, locate } = read(t, 'a: &x\n  b: 1\nc: *x\n');
  const { a, c } = value as { a: object; c: object };
  assert.notEqual(a, c);
  assert.equal(JSON.stringify(c), '{"b":1}');
  assert.deepEqual(locate('/c'), { file: 'a.yaml', line: 3, column: 1 });
  assert.deepEqual(locate('/c/b'), { file: 'a.yaml', line: 2, column: 3 });
});

test('a merge brings members that the map lacks, with their place (YAML 1.1, merge key)', (t) => {
  const text = [
    'a: &a { x: 1, y: { z: 2 } }',
    'b: &b { y: 3, w: 4 }',
    'one: { <<: *a, x: 5 }',
    'two: { x: 6, <<: [*a, *b] }',
    'three: &c { <<: { q: 7 }, <<: *b }',
    'four: { <<: *c }',
    'none: { "<<": *a, p: 8 }',
    'text: { <<: 9 }',
    '',
  ].join('\n');
  const { value, locate, diagnostics } = read(t, text);
  assert.deepEqual(diagnostics, []);
  const { one, two, three, four, none, text: said } = JSON.parse(JSON.stringify(value));
  assert.deepEqual(one, { x: 5, y: { z: 2 } });
  assert.deepEqual(two, { x: 6, y: { z: 2 }, w: 4 });
  assert.deepEqual(three, { q: 7, y: 3, w: 4 });
  assert.deepEqual(four, three);
  assert.deepEqual(none, { '<<': { x: 1, y: { z: 2 } }, p: 8 });
  assert.deepEqual(said, { '<<': 9 });
  assert.deepEqual(locate('/one/x'), { file: 'a.yaml', line: 3, column: 16 });
  assert.deepEqual(locate('/one/y/z'), { file: 'a.yaml', line: 1, column: 20 });
  assert.deepEqual(locate('/four/w'), { file: 'a.yaml', line: 2, column: 15 });
});

test('a merge of a map into itself is an error, and merges of merges are counted', (t) => {
  assert.deepEqual(problems(read(t, 'a: &x { <<: *x, b: 1 }\n')), ['SPEC002 1:13']);
  const levels = Array.from({ length: 9 }, (_, level) => {
    const members = ['p', 'q', 'r'].map((name) => `${name}: { <<: *l${level} }`);
    return `x${level}: &l${level + 1} { ${members.join(', ')} }`;
  });
  const bomb = ['base: &l0 { a: 1, b: 2, c: 3, d: 4 }', ...levels].join('\n');
  assert.match(problems(read(t, bomb)).join(), /SPEC003/);
});

test('an alias that stands inside its own anchor is an error, not a loop', (t) => {
  assert.deepEqual(problems(read(t, 'a: &x [*x]\n')), ['SPEC002 1:8']);
});

test('every duplicate key is reported with the place of the first', (t) => {
  const result = read(t, 'a: 1\nb: {c: 1, c: 2}\na: 2\n');
  assert.deepEqual(problems(result), ['SPEC002 2:11', 'SPEC002 3:1']);
  assert.equal(result.diagnostics[1]?.related?.[0]?.line, 1);
});

test('bytes that are not UTF-8 and missing files are unreadable', (t) => {
  assert.deepEqual(problems(read(t, Buffer.from([0x61, 0xff]))), ['SPEC001 1:1']);
  assert.deepEqual(problems(readYaml('/nowhere/a.yaml', '/nowhere')), ['SPEC001 1:1']);
});

test('a second document is an error, an end mark and a first one with its mark are not', (t) => {
  assert.deepEqual(problems(read(t, 'a: 1\n---\nb: 2\n')), ['SPEC002 2:1']);
  assert.deepEqual(problems(read(t, '---\na: 1\n...\n')), []);
});

test('numbers without a JSON form are errors', (t) => {
  assert.deepEqual(problems(read(t, 'a: [.inf]\n')), ['SPEC002 1:5']);
});

test('nesting without end is an error', (t) => {
  assert.deepEqual(problems(read(t, `a: ${'['.repeat(500)}${']'.repeat(500)}\n`)), [
    'SPEC002 1:404',
  ]);
  assert.deepEqual(problems(read(t, '['.repeat(200_000))), ['SPEC002 1:402']);
});
