import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder for the time of one test, with what a server keeps beside its data. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  t.after(() => {
    for (const each of [path, `${path}-anchors`])
      rmSync(each, { recursive: true, force: true, maxRetries: 20 });
  });
  return path;
}
