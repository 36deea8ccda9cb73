import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { entriesUnder, hashOf, hashText, type InputHashes } from './input-hashes.ts';
import { textOf } from './write.ts';

/** One `sha256  path` per line, which version control merges line by line (see .gitattributes). */
export const manifestPath = 'generated/manifest.txt';

/**
 * SHA-256 of everything that was generated and of what it was made from, by path. It makes a check
 * quick and says which files are ours to delete; nothing else depends on it.
 */
export type Manifest = ReadonlyMap<string, string>;

/** The entry of the program that generates, which is no path. */
const program = 'generator';

/** Make the manifest of emitted files. */
export function createManifest(inputs: InputHashes, emitted: readonly EmittedFile[]): Manifest {
  return new Map([
    [program, inputs.generator],
    ...inputs.specs.map(({ path, sha256 }) => [path, sha256] as const),
    ...emitted.map(({ path, text }) => [path, hashText(text)] as const),
  ]);
}

/**
 * The manifest of a run over one folder of specs and what is made of it alone. It lists no spec of
 * it, so that the next check compares everything: files that are made from all may be old.
 */
export function partialManifest(
  before: Manifest,
  now: Manifest,
  [specs, generated]: readonly [specs: string, generated: string],
): Manifest {
  const isOurs = (path: string) => path.startsWith(generated);
  return new Map([
    ...[...before].filter(([path]) => !isOurs(path) && !path.startsWith(specs)),
    ...[...now].filter(([path]) => isOurs(path)),
  ]);
}

/** Print a manifest, sorted by code unit. */
export function printManifest(manifest: Manifest): string {
  const lines = [...manifest].map(([path, sha256]) => ({ path, line: `${sha256}  ${path}\n` }));
  return lines
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('');
}

/** Read the manifest on disk; of a file that two lines disagree about, the content counts as unknown. */
export function readManifest(base: string): Manifest {
  const manifest = new Map<string, string>();
  for (const line of (textOf(base, manifestPath) ?? '').split('\n')) {
    const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (path !== '') manifest.set(path, (manifest.get(path) ?? sha256) === sha256 ? sha256 : '');
  }
  return manifest;
}

/** Whether the files on disk are those that this manifest says the same inputs gave. */
export function isUpToDate(base: string, inputs: InputHashes): boolean {
  const manifest = readManifest(base);
  const entries = entriesUnder(base, 'generated').filter(({ path }) => path !== manifestPath);
  return (
    manifest.get(program) === inputs.generator &&
    manifest.size === 1 + inputs.specs.length + entries.length &&
    inputs.specs.every(({ path, sha256 }) => manifest.get(path) === sha256) &&
    entries.every(({ path, isFile }) => isFile && manifest.get(path) === hashOf(base, path))
  );
}
