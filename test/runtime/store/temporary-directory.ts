import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder for the time of one test. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
