import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readApi } from '../../generator/read/read-api.ts';
import { openCorpus } from './entries.ts';
import { readAll } from './read-all.ts';

/** How much longer reading may take than the YAML parser alone. */
const mostTimes = 10;
const rounds = 3;

const corpus = openCorpus();
readAll(corpus);

test('the largest description takes little more time than its YAML', async () => {
  const entries = corpus.entries.filter(({ file }) => file.endsWith('.yaml'));
  const [entry] = entries.toSorted((a, b) => statSync(b.file).size - statSync(a.file).size);
  assert.ok(entry);
  const { file, root } = entry;
  let times = Number.POSITIVE_INFINITY;
  // What else runs on the machine makes single ones longer, and none shorter: one that is short decides.
  for (let round = 0; round < rounds && times >= mostTimes; round++) {
    const yaml = await processorTime(() => parse(readFileSync(file, 'utf8')));
    times = Math.min(times, (await processorTime(() => readApi({ ...entry, base: root }))) / yaml);
  }
  assert.ok(times < mostTimes, `${times.toFixed(1)} times`);
});

/** What the process takes for `work`, in microseconds. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
