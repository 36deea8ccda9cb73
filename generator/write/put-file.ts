import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/** A path that nothing may be written to: thrown before anything is written. */
export class UnsafePathError extends Error {}

/** A disk that is full, or a folder that may not be written to. */
export class WriteError extends Error {}

/**
 * Refuse what a symbolic link leads elsewhere, whoever has put it there.
 *
 * @throws UnsafePathError
 */
export function checkLinks(base: string, path: string): void {
  const steps = path.split('/');
  for (let length = 1; length <= steps.length; length++) {
    const part = steps.slice(0, length).join('/');
    const found = lstatSync(join(base, part), { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) throw new UnsafePathError(`${part} is a symbolic link`);
    // Nothing stands below, so nothing leads elsewhere.
    if (!found?.isDirectory()) return;
  }
}

/**
 * Write a file as a whole or not at all: half a curation would be kept as if a person had written it.
 *
 * @throws WriteError
 */
export function putFile(base: string, path: string, text: string): void {
  const target = join(base, path);
  const unfinished = `${target}.${process.pid}.new`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(unfinished, text);
    renameSync(unfinished, target);
  } catch (error) {
    removeQuietly(unfinished);
    throw new WriteError(`${path} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** What to say of an error of this room; `undefined` for any other. */
export function unwritten(error: unknown): string | undefined {
  if (error instanceof UnsafePathError) return `${error.message}; nothing was written`;
  return error instanceof WriteError ? error.message : undefined;
}

/** What keeps it from being written keeps it from being removed as well. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first reason is the one to tell.
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code } = error as NodeJS.ErrnoException;
  return errno === undefined ? error.message : `${getSystemErrorMessage(errno)} (${code})`;
}
