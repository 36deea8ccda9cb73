import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#contract/json';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import {
  entriesUnder,
  type HashedFile,
  hashOf,
  hashText,
  type InputHashes,
} from './input-hashes.ts';

export const manifestPath = 'generated/manifest.json';

/** What was generated, and from what: `generated/manifest.json`. */
export interface Manifest {
  readonly generator: string;
  readonly specs: readonly HashedFile[];
  readonly files: readonly (HashedFile & { readonly bytes: number })[];
}

/** Make the manifest of emitted files; those outside of `generated/` are inputs of the next run. */
export function createManifest(inputs: InputHashes, emitted: readonly EmittedFile[]): Manifest {
  const locks = emitted.filter(({ path }) => path.startsWith('specs/'));
  const specs = new Map(inputs.specs.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, text } of locks) specs.set(path, hashText(text));
  return {
    generator: inputs.generator,
    specs: [...specs].map(([path, sha256]) => ({ path, sha256 })).toSorted(byPath),
    files: emitted
      .filter((file) => !locks.includes(file))
      .map(({ path, text }) => ({
        path,
        sha256: hashText(text),
        bytes: Buffer.byteLength(text),
      }))
      .toSorted(byPath),
  };
}

export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Read the manifest on disk; one that is missing or broken counts as empty. */
export function readManifest(base: string): Manifest {
  const path = join(base, manifestPath);
  const nothing = { generator: '', specs: [], files: [] };
  if (!existsSync(path)) return nothing;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isManifest(value) ? value : nothing;
  } catch {
    return nothing;
  }
}

function isManifest(value: unknown): value is Manifest {
  const isList = (list: unknown) =>
    Array.isArray(list) &&
    list.every(
      (item) =>
        isObject(item) && typeof item['path'] === 'string' && typeof item['sha256'] === 'string',
    );
  return (
    isObject(value) &&
    typeof value['generator'] === 'string' &&
    isList(value['specs']) &&
    isList(value['files'])
  );
}

/** Whether the files on disk are those that this manifest says the same inputs gave. */
export function isUpToDate(base: string, inputs: InputHashes): boolean {
  const { generator, specs, files } = readManifest(base);
  if (generator !== inputs.generator || !areEqual(specs, inputs.specs)) return false;
  const entries = entriesUnder(base, 'generated');
  if (!entries.every(({ isFile }) => isFile)) return false;
  const present = entries.flatMap(({ path }) => (path === manifestPath ? [] : [path]));
  if (present.join('\n') !== files.map(({ path }) => path).join('\n')) return false;
  return files.every(({ path, sha256 }) => hashOf(base, path) === sha256);
}

function areEqual(a: readonly HashedFile[], b: readonly HashedFile[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ path, sha256 }, index) => path === b[index]?.path && sha256 === b[index]?.sha256)
  );
}

/** Order by code unit, whatever the locale. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
