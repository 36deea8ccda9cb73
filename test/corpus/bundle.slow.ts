import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { compareBundles } from './bundle-oracle.ts';
import { corpusFolder, openCorpus } from './entries.ts';

const corpus = openCorpus();
after(() => corpus.close());

test('the references of all descriptions lead where swagger-parser finds them', async (t) => {
  const differences: string[] = [];
  const verdicts = new Map<string, number>();
  for (const entry of corpus.entries) {
    const verdict = await compareBundles(entry);
    verdicts.set(verdict.accepted, (verdicts.get(verdict.accepted) ?? 0) + 1);
    if (verdict.accepted !== 'both' || verdict.difference === undefined) continue;
    differences.push(`${entry.name}: ${verdict.difference}`);
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(verdicts)));
  assert.deepEqual(differences, []);
  assert.ok((verdicts.get('both') ?? 0) >= (corpusFolder === undefined ? 3 : 200));
});
