import { watch } from 'node:fs';
import { join } from 'node:path';
import { Memory } from '../pipeline/memory.ts';
import { generate } from '../pipeline/pipeline.ts';
import { hashInputs } from '../write/input-hashes.ts';
import { unwritten } from '../write/put-file.ts';
import { formatResult } from './format-result.ts';
import type { CommandOptions } from './generate-options.ts';

/** Editors write a file in several steps; this is how long we wait for the last one. */
const settleMs = 30;

/** Generate now and after each change under `specs/`, until `signal` says that it is enough. */
export async function watchSpecs(
  options: CommandOptions,
  { signal, print }: { signal: AbortSignal; print: (text: string) => void },
): Promise<void> {
  const { base, format } = options;
  const memory = new Memory();
  let wake = Promise.withResolvers<void>();
  const watcher = watch(join(base, 'specs'), { recursive: true }, () => wake.resolve());
  signal.addEventListener('abort', () => wake.resolve());
  let seen = '';
  try {
    while (!signal.aborted) {
      try {
        const now = JSON.stringify(hashInputs(base).specs);
        if (now !== seen) {
          // What changes while we generate, lock files of our own included, is seen in the next round.
          seen = now;
          print(formatResult(await generate({ ...options, memory }), format));
        }
      } catch (error) {
        // The next change may well be the repair: it must not find these specs as seen.
        seen = '';
        print(failureText(error));
      }
      await wake.promise;
      wake = Promise.withResolvers();
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    }
  } finally {
    watcher.close();
  }
}

function failureText(error: unknown): string {
  const text = unwritten(error);
  if (text !== undefined) return `${text}\n`;
  return `internal error: ${error instanceof Error ? error.stack : String(error)}\n`;
}
