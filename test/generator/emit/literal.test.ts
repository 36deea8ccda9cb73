import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Call, Code, literal, Shared, Spread } from '../../../generator/emit/print/literal.ts';

const root = join(import.meta.dirname, '../../..');

const keys = fc.oneof(
  fc.constantFrom(
    'type',
    'id',
    'q',
    'name',
    '200',
    'a-b',
    '__proto__',
    'class',
    'ünï',
    '日本',
    '1e3',
  ),
  fc.string({ maxLength: 12 }),
);
const texts = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 30 }),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom(
    'it\'s "q"',
    "don't can't",
    '日本語テキスト'.repeat(8),
    '$' + '{x}`*/',
    '\u2028\u0000\n',
  ),
);
const scalars = fc.oneof(
  texts,
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.boolean(),
  fc.constant(null),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalars,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.integer(), { maxLength: 60 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
    fc.array(fc.dictionary(keys, tie('value'), { maxKeys: 3 }), { maxLength: 3 }),
  ),
}));

test('Biome leaves literals as they are printed, and they mean what was given', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'literal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { formatter, javascript } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter, javascript }));
  // One file holds all samples: starting Biome takes longer than formatting.
  const samples = fc.sample(values, 400);
  const printed = samples.map((value) => literal({ value }, { depth: 0, used: 18, after: 1 }));
  const text = printed.map((one, index) => `export const x${index % 10} = ${one};\n`).join('\n');
  writeFileSync(join(folder, 'samples.ts'), text);
  const biome = join(root, 'node_modules/.bin/biome');
  execFileSync(biome, ['format', '--write', '.'], { cwd: folder, stdio: 'pipe' });
  const formatted = readFileSync(join(folder, 'samples.ts'), 'utf8').split('\n');
  const differing = text.split('\n').filter((line, index) => line !== formatted[index]);
  assert.deepEqual(differing.slice(0, 1), []);
  for (const [index, value] of samples.entries()) {
    const meant: unknown = runInNewContext(`(${printed[index]})`);
    assert.equal(JSON.stringify(meant), JSON.stringify({ value }));
  }
});

test('text of a spec cannot leave its literal, nor show or hide anything', () => {
  for (const text of [
    '\'"`$' + '{1}',
    '\\',
    '\u2028\u2029',
    '\u202eevil',
    '\u200b',
    '\ud800',
    '*/',
    '</script>',
  ]) {
    const printed = literal(text);
    assert.equal(runInNewContext(printed), text);
    assert.doesNotMatch(printed, /[\u2028\u2029\u202e\u200b]|\$\{/);
    assert.equal(stripVTControlCharacters(printed), printed);
  }
});

test('a property called __proto__ is only a property', () => {
  const value = JSON.parse('{"__proto__":{"a":1}}');
  const meant: unknown = runInNewContext(`(${literal(value)})`);
  assert.equal(JSON.stringify(meant), '{"__proto__":{"a":1}}');
});

test('expressions, shorthands, spreads and calls stand in literals as code', () => {
  const value = {
    q: new Code('q'),
    all: new Spread('where'),
    ids: new Call('csv', [new Code('ids'), true]),
  };
  assert.equal(literal(value), '{ q, ...where, ids: csv(ids, true) }');
});

test('a call that is too long breaks inside its last object, or at each argument', () => {
  const members = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`member_number_${index}`, index]),
  );
  assert.match(
    literal(new Call('json', [members])),
    /^json\(\{\n {2}member_number_0: 0,\n.*\n\}\)$/s,
  );
  assert.match(
    literal(new Call('json', [members, 'a/b'])),
    /^json\(\n {2}\{\n {4}member_number_0: 0,\n.*\n {2}\},\n {2}'a\/b',\n\)$/s,
  );
});

test('an object that is printed once for many stands in each place as it would alone', () => {
  const object = { type: 'string', description: 'What an agent reads of it, in a few words' };
  const shared = new Shared(object);
  for (const width of [1, 20, 60, 20]) {
    const [key, other] = ['k'.repeat(width), 'o'.repeat(width)];
    assert.equal(
      literal({ [key]: shared, [other]: { [key]: shared } }),
      literal({ [key]: object, [other]: { [key]: object } }),
    );
  }
});
