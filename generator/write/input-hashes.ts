import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file and what is in it, whose bytes are hashed. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/** Everything that the generated files depend on. */
export interface InputHashes {
  /** Hash of the generator itself, of the contract that it prints against, and of its packages. */
  readonly generator: string;
  readonly specs: readonly HashedFile[];
}

const home = join(import.meta.dirname, '../..');

/** Hash the specs under `base` and the generator that is running. */
export function hashInputs(base: string): InputHashes {
  runningGenerator ??= hashGenerator();
  return {
    generator: runningGenerator,
    specs: filesUnder(base, 'specs').map((path) => ({ path, sha256: hashOf(base, path) })),
  };
}

/** What runs is what was loaded, whatever becomes of its files: some four hundred are hashed once. */
let runningGenerator: string | undefined;

function hashGenerator(): string {
  const own = ['generator', 'runtime/contract', 'specs/schemas'].flatMap((folder) =>
    filesUnder(home, folder),
  );
  const sources = own.filter((path) => /\.(?:ts|json|hbs)$/.test(path));
  const texts = [...sources, 'biome.json', 'package-lock.json'].map(
    (path) => `${hashOf(home, path)}  ${path}\n`,
  );
  return hash('sha256', texts.join(''));
}

/** The files under a folder, sorted by code unit, with forward slashes; no links, no dotfiles. */
export function filesUnder(base: string, folder: string): string[] {
  return entriesUnder(base, folder).flatMap(({ path, isFile }) => {
    const isHidden = path.slice(path.lastIndexOf('/') + 1).startsWith('.');
    return isFile && !isHidden ? [path] : [];
  });
}

/** Everything but folders under a folder, as `filesUnder` sorts it; links are not followed. */
export function entriesUnder(
  base: string,
  folder: string,
): { readonly path: string; readonly isFile: boolean }[] {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? entriesUnder(base, path) : [{ path, isFile: entry.isFile() }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** SHA-256 of a file's bytes. */
export function hashOf(base: string, path: string): string {
  return hash('sha256', readFileSync(join(base, path)));
}

/** SHA-256 of a text as it is written. */
export function hashText(text: string): string {
  return hash('sha256', text);
}
