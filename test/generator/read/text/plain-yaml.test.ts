import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { parsePlainYaml } from '../../../../generator/read/text/plain/plain-yaml.ts';
import { parseAnyYaml } from '../../../../generator/read/text/yaml-text.ts';

const root = join(import.meta.dirname, '../../../..');

/** Hold what is read of a plain text against what reads all of YAML; says whether it is plain. */
function isReadAlike(text: string): boolean {
  const plain = parsePlainYaml(text, parseAnyYaml);
  if (plain === undefined) return false;
  const whole = parseAnyYaml(text);
  assert.deepEqual(whole.problems, [], text);
  assert.deepEqual(plain.value, whole.value, text);
  const visit = (value: unknown, path: readonly string[]): void => {
    for (const steps of [path, [...path, 'nothing'], [...path, '99', 'x']]) {
      assert.equal(plain.offsetOf(steps), whole.offsetOf(steps), `${steps.join('/')} in ${text}`);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) visit(member, [...path, key]);
  };
  visit(plain.value, []);
  return true;
}

test('files of the house and their goldens are read alike, most of them as plain ones', () => {
  const files = globSync(['specs/**/*.yaml', 'test/golden/*/*.yaml'], { cwd: root });
  const plain = files.filter((file) => isReadAlike(readFileSync(join(root, file), 'utf8')));
  assert.ok(plain.length > 0.9 * files.length, `${plain.length} of ${files.length}`);
});

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom('a: b', 'a #b', '#', '- a', '? a', 'null', '~', '0x1f', '1e3', '.5', '007', '-0'),
  fc.constantFrom(
    'a\n\nb\n',
    ' a',
    'a\tb',
    '"',
    "it's",
    '{',
    '[a',
    '&a',
    '*a',
    '!a',
    '2026-01-31',
    '',
  ),
);
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(word, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(word, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const maps = fc.dictionary(word, values, { minKeys: 1, maxKeys: 5 });
const layouts = fc.record({
  lineWidth: fc.constantFrom(0, 30, 80),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  singleQuote: fc.constantFrom(null, true),
});

test('whatever is written as YAML is read as its whole reading says', () => {
  fc.assert(
    fc.property(maps, layouts, (value, layout) => {
      isReadAlike(stringify(value, { ...layout, aliasDuplicateObjects: false } as object));
    }),
    { numRuns: 300 },
  );
});

/** What changes the meaning of a text where it comes in. */
const slips = [
  ' ',
  '  ',
  '\n',
  '\n\n',
  '- ',
  ': ',
  ':',
  '#',
  ' #',
  '"',
  "'",
  '|',
  '>',
  '>-\n',
  '[',
];
const others = [
  ']',
  '{}',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '!t ',
  '\t',
  '? ',
  '---\n',
  '0',
  'a',
  '%',
  '@',
];

test('a text with slips is read alike, or left to the whole reading', () => {
  fc.assert(
    fc.property(
      maps,
      layouts,
      fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...slips, ...others)), {
        maxLength: 3,
      }),
      (value, layout, changes) => {
        let text = stringify(value, { ...layout, aliasDuplicateObjects: false } as object);
        for (const [place, cut, slip] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + slip + text.slice(at + cut);
        }
        isReadAlike(text);
      },
    ),
    { numRuns: 500 },
  );
});
