import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { indentQuoted, mostIndentation } from '../../../../generator/read/loose/unindented-text.ts';
import { readDescriptionFile } from '../../../../generator/read/text/description-file.ts';

function read(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'unindented-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.yaml'), text);
  return readDescriptionFile(join(folder, 'a.yaml'), folder);
}

const severities = ({ diagnostics }: ReturnType<typeof readDescriptionFile>) =>
  diagnostics.map(({ severity, line, column }) => `${severity} ${line}:${column}`);

test('a text in quotes whose further lines are not indented is read, and told of', (t) => {
  const text = 'a:\n  b: "one\ntwo \\"x\\"\nthree"\n  c:\n    - \'it\'\'s\nfour\' # five\nd: 1\n';
  const file = read(t, text);
  assert.equal(
    JSON.stringify(file.value),
    '{"a":{"b":"one two \\"x\\" three","c":["it\'s four"]},"d":1}',
  );
  assert.deepEqual(severities(file), ['warning 2:6']);
  const { line, column } = file.locate('/d');
  assert.deepEqual([line, column], [8, 1]);
});

test('any number of such texts is read, as libraries of Java break them', (t) => {
  const item = '  - b: "one\\\n    \\ two\n\n    three"\n    c: \'four\n\n    five\'\n';
  const file = read(t, `a:\n${item.repeat(200)}d: 1\n`);
  const { a, d } = file.value as Record<string, unknown>;
  assert.equal(JSON.stringify((a as unknown[])[199]), '{"b":"one two\\nthree","c":"four\\nfive"}');
  assert.equal(d, 1);
  const [told] = file.diagnostics;
  assert.match(told?.message ?? '', /\(and of 399 more\)$/);
  assert.equal(file.locate('/a/1/c').line, 13);
});

test('what only looks like a text in quotes stays as it is', (t) => {
  const plain = 'a: |\n  x: "one\n  # \'\nb: it\'s {so\n  "too\nc: # "\n';
  const flow = '  - {d: it\'s, \'e\': ["f\ng", # "\n    h]}\n';
  const file = read(t, `${plain}${flow}`);
  assert.equal(
    JSON.stringify(file.value),
    `{"a":"x: \\"one\\n# '\\n","b":"it's {so \\"too","c":[{"d":"it's","e":["f g","h"]}]}`,
  );
});

test('texts of a hostile size are read at once, or not at all', () => {
  const started = performance.now();
  const many = indentQuoted(`a:\n${'  - "one\ntwo"\n'.repeat(200_000)}`);
  assert.equal(many?.offsets.length, 200_000);
  const deep = ' '.repeat(mostIndentation / 1_000);
  assert.equal(indentQuoted(`${deep}a: "${'x\n'.repeat(1_002)}"`), undefined);
  for (const part of ['"a\n', 'a: "', "[a'   ", '- ', '!a ', '{"', '#\n', "''", '\\\n']) {
    assert.equal(indentQuoted(`a: "${part.repeat(200_000)}`), undefined);
    assert.equal(indentQuoted(`a: [${part.repeat(200_000)}`), undefined);
  }
  assert.ok(performance.now() - started < 20_000);
});

for (const [what, text] of [
  ['that never ends', 'a:\n  b: "one\nc: 2\n'],
  ['after whose end the line goes on', 'a:\n  b: "one\nc: "two"\n'],
  ['that holds the mark of a document', 'a:\n  b: "one\n--- two"\n'],
] as const) {
  test(`a text in quotes ${what} stays an error`, (t) => {
    const file = read(t, text);
    assert.equal(file.value, undefined);
    assert.match(severities(file)[0] ?? '', /^error /);
  });
}
