import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** Largest file that the generator reads. */
export const maxFileBytes = 64 * 1024 * 1024;

/** The text of a file, or the reason why there is none. */
export type SourceText =
  | { readonly text: string }
  | { readonly text: undefined; readonly reason: string };

/** Read a UTF-8 text file of bounded size. */
export function readSourceText(path: string): SourceText {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return refused('it is not a regular file');
    if (stat.size > maxFileBytes) {
      return refused(`it has ${stat.size} bytes, more than the limit of ${maxFileBytes}`);
    }
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) return refused('it is not UTF-8 text');
    const text = bytes.toString('utf8');
    // A byte order mark is allowed in YAML and by no means in JSON (RFC 8259 section 8.1).
    return { text: text.startsWith('\uFEFF') ? text.slice(1) : text };
  } catch (cause) {
    return refused(reasonOf(cause));
  }
}

function refused(reason: string): SourceText {
  return { text: undefined, reason };
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return code ?? message;
}
