import { watch } from 'node:fs';
import { join } from 'node:path';
import { formatResult } from './format-result.ts';
import type { CommandOptions } from './generate-options.ts';
import { generate } from './pipeline.ts';

/** Editors write a file in several steps; this is how long we wait for the last one. */
const settleMs = 40;

/** Generate now and after each change under `specs/`, until the process is interrupted. */
export async function watchSpecs(options: CommandOptions): Promise<number> {
  const { base, format } = options;
  let changed = Promise.withResolvers<void>();
  const watcher = watch(join(base, 'specs'), { recursive: true }, () => changed.resolve());
  const interrupted = new Promise<'interrupted'>((resolve) => {
    process.once('SIGINT', () => resolve('interrupted'));
    process.once('SIGTERM', () => resolve('interrupted'));
  });
  for (;;) {
    const result = await generate(options);
    process.stdout.write(formatResult(result, format));
    // What this run has written itself is a change too: the lock files stand in specs/.
    const own = result.written?.written.some((path) => path.startsWith('specs/')) ?? false;
    if (own) await changed.promise;
    changed = Promise.withResolvers<void>();
    const next = await Promise.race([changed.promise, interrupted]);
    if (next === 'interrupted') break;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
  watcher.close();
  return 0;
}
