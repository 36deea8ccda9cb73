import assert from 'node:assert/strict';
import test from 'node:test';
import { keywords, keywordsWhere } from '#contract/schema/keywords';
import { applicators, keywordsOf, titleOf } from './applicators.ts';

// JSON Schema 2020-12 core, 10 and 11; draft-07; draft-04: their meta-schemas are the judges.

test('the meta-schemas name as many applicators as the dialects have', () => {
  const counted = Object.groupBy(applicators, ({ dialect }) => dialect);
  assert.deepEqual(
    Object.entries(counted).map(([dialect, all]) => [dialect, all?.length]),
    [
      ['draft-04', 11],
      ['draft-07', 16],
      ['2020-12', 19],
    ],
  );
});

for (const applicator of applicators) {
  test(`the table knows where the schemas of ${titleOf(applicator)} stand`, () => {
    assert.equal(keywords.get(applicator.keyword)?.schemas, applicator.holds);
  });
}

test('no other keyword holds schemas, in any of the dialects', () => {
  const known = new Set(applicators.map(({ keyword }) => keyword));
  const holding = keywordsWhere(({ schemas }) => schemas !== undefined);
  assert.deepEqual([...holding.difference(known)], []);
});

const dialects = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'];

for (const dialect of ['draft-04', 'draft-07', '2020-12'] as const) {
  test(`every keyword of the meta-schema of ${dialect} is in the table, and dated rightly`, () => {
    const at = dialects.indexOf(dialect);
    for (const [name] of keywordsOf(dialect)) {
      const keyword = keywords.get(name);
      assert.ok(keyword, name);
      assert.ok(dialects.indexOf(keyword.since) <= at, `${name} since ${keyword.since}`);
      const last = keyword.until === undefined ? Infinity : dialects.indexOf(keyword.until);
      assert.ok(last >= at, `${name} until ${keyword.until}`);
    }
  });
}

test('no keyword that is inherited from an object is known', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    assert.equal(keywords.get(name), undefined);
  }
});
