import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { checkLinks, putFile, UnsafePathError } from './put-file.ts';

/** What writing has changed. */
export interface Written {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
}

/**
 * Put changed files on disk and delete those that an earlier run wrote and this one does not. A
 * file whose bytes are the same is left alone, so that whatever watches it stays warm.
 */
export function writeFiles(
  base: string,
  files: readonly EmittedFile[],
  earlier: readonly string[],
): Written {
  const wanted = new Set(files.map(({ path }) => path));
  const stale = earlier.filter((path) => !wanted.has(path) && path.startsWith('generated/'));
  for (const path of [...wanted, ...stale]) checkPath(base, path);
  const changed = files.filter(({ path, text }) => textOf(base, path) !== text);
  for (const { path, text } of changed) putFile(base, path, text);
  const deleted = stale.filter((path) => textOf(base, path) !== undefined);
  for (const path of deleted) {
    rmSync(join(base, path));
    removeEmptyFolders(base, dirname(path));
  }
  return {
    written: changed.map(({ path }) => path),
    deleted,
    unchanged: files.length - changed.length,
  };
}

/** There is no such file, or a file stands for its folder, or a folder for it. */
const absent = new Set<unknown>(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** The text of a file; `undefined` where there is none. */
export function textOf(base: string, path: string): string | undefined {
  try {
    return readFileSync(join(base, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return undefined;
    throw error;
  }
}

const ours =
  /^(?:generated\/|specs\/(?:providers|surfaces)\/[^/]+\/(?:tools|tables)\.lock\.json$|specs\/(?:tables|workflows\/tools)\.lock\.json$)/;

/** Refuse what is not ours, what climbs, and what a symbolic link leads elsewhere. */
function checkPath(base: string, path: string): void {
  const steps = path.split('/');
  const isPlain =
    steps.every((step) => step !== '' && step !== '.' && step !== '..') && !/[\\\0]/.test(path);
  if (!ours.test(path) || !isPlain) throw new UnsafePathError(`${path} is not a generated file`);
  checkLinks(base, path);
}

function removeEmptyFolders(base: string, folder: string): void {
  for (let path = folder; path.startsWith('generated/'); path = dirname(path)) {
    if (readdirSync(join(base, path)).length > 0) return;
    rmdirSync(join(base, path));
  }
}
