import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EmittedFile } from '../emit/print/emitted-file.ts';

/** Report files that would overwrite each other, on file systems without case too (SPEC090). */
export function checkPaths(files: readonly EmittedFile[]): Diagnostic[] {
  const owners = new Map<string, string>();
  return files.flatMap(({ path: file }) => {
    const key = file.normalize('NFC').toLowerCase();
    const owner = owners.get(key);
    if (owner === undefined) {
      owners.set(key, file);
      return [];
    }
    const at = { file, line: 1, column: 1, pointer: '' };
    return [diagnose('SPEC090', at, `another generated file has the path ${owner}`)];
  });
}
