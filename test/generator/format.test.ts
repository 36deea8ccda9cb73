import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { formatFiles } from '../../generator/write/format.ts';

const raw =
  "import { b, type A } from './x.ts'; import { c } from './a.ts'\nexport const x: A = {a: b(c)}\n";

test('what a template made is laid out as this house writes, its imports sorted', () => {
  const [made, printed] = formatFiles([
    { path: 'generated/x.ts', text: raw, isRaw: true },
    { path: 'generated/y.ts', text: raw },
  ]);
  assert.deepEqual(made, {
    path: 'generated/x.ts',
    text: "import { c } from './a.ts';\nimport { type A, b } from './x.ts';\nexport const x: A = { a: b(c) };\n",
  });
  assert.deepEqual(printed, { path: 'generated/y.ts', text: raw });
});

test('it is the layout that the linter of this house wants', () => {
  const { formatter } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../biome.json'), 'utf8'),
  );
  const wide = `export const x = ['${'a'.repeat(formatter.lineWidth)}', 'b'];\n`;
  const [file] = formatFiles([{ path: 'generated/x.ts', text: wide, isRaw: true }]);
  assert.match(file?.text ?? '', /^export const x = \[\n {2}'a+',\n {2}'b',\n\];\n$/);
});

test('what is no TypeScript stops the run', () => {
  const text = 'export const x = ;\n';
  assert.throws(() => formatFiles([{ path: 'generated/x.ts', text, isRaw: true }]), /0\.ts/);
});
