import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder for the time of one test, with what a server keeps beside its data. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>, name = 'store-'): string {
  const path = mkdtempSync(join(tmpdir(), name));
  removeAfter(t, path, `${path}-anchors`);
  return path;
}

/** Folders whose test is over. */
const left = new Set<string>();

/**
 * Have folders removed when the test is over, and once more when the process ends: what a test has
 * to end by itself ends in the order in which it began, so a server may write its last anchor into a
 * folder that is gone.
 */
export function removeAfter(t: Pick<TestContext, 'after'>, ...folders: readonly string[]): void {
  t.after(() => {
    if (left.size === 0) process.on('exit', () => remove(left));
    for (const folder of folders) left.add(folder);
    remove(folders);
  });
}

function remove(folders: Iterable<string>): void {
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 20 });
}
