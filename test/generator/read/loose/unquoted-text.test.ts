import assert from 'node:assert/strict';
import test from 'node:test';
import { parseLooseYaml } from '../../../../generator/read/loose/loose-yaml.ts';

test('a text without quotes that holds a colon and a blank is read as one, and told of', () => {
  const source =
    'a:\n  - b: Missing field: it\'s "x": y # told\n    c: 1\n\nd: what: \r\ne: f\ng: [h, i]\n';
  const { value, problems, offsetOf } = parseLooseYaml(source);
  assert.equal(
    JSON.stringify(value),
    '{"a":[{"b":"Missing field: it\'s \\"x\\": y","c":1}],"d":"what:","e":"f","g":["h","i"]}',
  );
  assert.deepEqual(
    problems.map(({ severity, offset, message }) => [severity, offset, message]),
    [
      [
        'warning',
        source.indexOf('Missing'),
        'a text without quotes has a colon and a blank in it: read as if it stood in quotes (and of 1 more)',
      ],
    ],
  );
  for (const [path, key] of [
    [['a', '0', 'c'], 'c: 1'],
    [['e'], 'e: f'],
    [['g', '1'], 'i]'],
  ] as const) {
    assert.equal(offsetOf(path), source.indexOf(key), key);
  }
});

test('more of them than are told of are read, and other slips beside them', () => {
  const { value, problems } = parseLooseYaml(`${'- a: b: c\n'.repeat(1000)}- "one\ntwo"\n`);
  assert.equal((value as unknown[]).length, 1001);
  assert.deepEqual((value as unknown[]).at(-1), 'one two');
  const told = problems.map(({ message }) => message).sort();
  assert.match(told[0] ?? '', /^a text without quotes .* \(and of 999 more\)$/);
  assert.match(told[1] ?? '', /quotes stand left of it/);
});

const unclear: readonly (readonly [string, string])[] = [
  ['a text that may go on below', 'a: b: c\n  d\n'],
  ['a map that was begun too early', 'a: b: c\n   d: e\n'],
  ['a quote that was closed', 'a: "b": c\n'],
  ['what is wrong otherwise', 'a: b: c\n d: e\n'],
];
for (const [what, source] of unclear) {
  test(`${what} stays what is told of it`, () => {
    const { value, problems } = parseLooseYaml(source);
    assert.equal(value, undefined);
    assert.equal(problems[0]?.severity, 'error');
  });
}
