import { createTwoFilesPatch } from 'diff';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { entriesUnder } from './input-hashes.ts';
import { manifestPath } from './manifest.ts';
import { textOf } from './write.ts';

/** A file that is not what the specs give. */
export interface Drift {
  readonly path: string;
  readonly kind: 'changed' | 'missing' | 'surplus';
  /** Unified diff from what is there to what should be. */
  readonly diff?: string;
}

const longestDiff = 200;

/** Compare what should be there with what is; `folder` limits the search for surplus files. */
export function findDrift(
  base: string,
  files: readonly EmittedFile[],
  folder = 'generated',
): Drift[] {
  // The manifest only repeats what differs elsewhere.
  const wanted = new Set([manifestPath, ...files.map(({ path }) => path)]);
  // Whatever is there: a link where a file should be is one too many, too.
  const surplus = entriesUnder(base, folder).flatMap(({ path, isFile }) =>
    isFile && wanted.has(path) ? [] : [path],
  );
  const changed = files.flatMap(({ path, text }): Drift[] => {
    const present = textOf(base, path);
    if (present === undefined) return [{ path, kind: 'missing' }];
    if (present === text) return [];
    return [{ path, kind: 'changed', diff: unifiedDiff(path, present, text) }];
  });
  return [...changed, ...surplus.map((path) => ({ path, kind: 'surplus' as const }))].sort(
    (a, b) => (a.path < b.path ? -1 : 1),
  );
}

function unifiedDiff(path: string, present: string, wanted: string): string {
  const patch = createTwoFilesPatch(path, path, present, wanted, 'on disk', 'from specs', {
    context: 3,
    timeout: 2000,
  });
  if (patch === undefined) return 'the texts differ too much for a diff\n';
  const lines = patch.split('\n').slice(2);
  if (lines.length <= longestDiff) return lines.join('\n');
  return `${lines.slice(0, longestDiff).join('\n')}\n(${lines.length - longestDiff} more lines)\n`;
}
