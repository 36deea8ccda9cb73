import assert from 'node:assert/strict';
import test from 'node:test';
import { didYouMean, namesOfSameStart, nearestName } from '#contract/nearest-name';

/** What was written, what there is, and what is offered. */
const cases: readonly [string, readonly string[], string | undefined][] = [
  ['colour', ['size', 'color'], 'color'],
  ['LABELS', ['label', 'labels', 'state'], 'labels'],
  ['githb_get', ['github_get', 'github_set'], 'github_get'],
  // A slip is worth more than a longer name that holds the same letters, and that than a likeness.
  ['uses', ['uses_of_a_thing', 'users'], 'users'],
  ['name', ['date', 'full_name', 'short_full_name'], 'full_name'],
  ['getVuln', ['OSV_Query', 'OSV_GetVulnById'], 'OSV_GetVulnById'],
  ['memry', ['memory', 'crossref'], 'memory'],
  // Too short to mean a name that holds it, and nothing in common.
  ['id', ['identity_of_all'], undefined],
  ['ab', ['cd', 'ef'], undefined],
  ['zzzzzzzz', ['color', 'size'], undefined],
  ['', ['a', ''], undefined],
  ['a', [], undefined],
];

for (const [name, known, expected] of cases) {
  const title = expected ?? 'nothing';
  test(`${JSON.stringify(name)} among ${known.join(', ')} was meant to be ${title}`, () => {
    assert.equal(nearestName(name, known), expected);
  });
}

test('names that are too long to be one are not compared', () => {
  const long = 'a'.repeat(129);
  assert.equal(nearestName(long, [long]), undefined);
  const count = 20_000;
  const known = Array.from({ length: count }, (_, index) => `${'b'.repeat(3000)}${index}`);
  assert.equal(nearestName('c'.repeat(128), known), undefined);
});

test('it makes the end of a sentence, in which nothing of a name is taken for more than a name', () => {
  assert.equal(didYouMean('"a', ['"ab']), '; did you mean "\\"ab"?');
  assert.equal(didYouMean('z', ['"ab']), '');
});

test('names that begin with the same word are found however they go on, the nearest first', () => {
  const known = ['acme_query', 'acme_get', 'other_gets', 'acmes_get'];
  assert.deepEqual(namesOfSameStart('acme_gte', known, 3), ['acme_get', 'acme_query']);
  assert.deepEqual(namesOfSameStart('ACME.gte', known, 1), ['acme_get']);
  assert.deepEqual(namesOfSameStart('vulns_get', known, 3), []);
  assert.deepEqual(namesOfSameStart('', ['', '_'], 3), []);
});
