import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { mostUnindented } from '../../../../generator/read/loose/unindented-text.ts';
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
  assert.deepEqual(severities(file), ['warning 2:6', 'warning 6:7']);
  const { line, column } = file.locate('/d');
  assert.deepEqual([line, column], [8, 1]);
});

for (const [what, text] of [
  ['that never ends', 'a:\n  b: "one\nc: 2\n'],
  ['after whose end the line goes on', 'a:\n  b: "one\nc: "two"\n'],
  ['of more such texts than are read', `a:\n${'  - "one\ntwo"\n'.repeat(mostUnindented + 1)}`],
] as const) {
  test(`a text in quotes ${what} stays an error`, (t) => {
    const file = read(t, text);
    assert.equal(file.value, undefined);
    assert.match(severities(file)[0] ?? '', /^error /);
  });
}
