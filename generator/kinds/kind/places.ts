import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Place } from './kind.ts';

/** The places under `base` that these paths name, see `Kind.where`. */
export function findPlaces(base: string, where: readonly string[]): Place[] {
  return where.flatMap((pattern) => {
    const [folder = '', rest] = pattern.split('/<id>');
    const ids = rest === undefined ? [''] : folderNames(base, folder);
    return ids.flatMap((id) => {
      const path = pattern.replace('<id>', id).replace(/\/$/, '');
      return existsSync(join(base, path)) ? [{ base, path, id }] : [];
    });
  });
}

/** The folders in a folder, by code unit: what the file system says varies between machines. */
export function folderNames(base: string, folder: string): string[] {
  return entriesOf(base, folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Folders that are links: they are not followed, and must not vanish in silence either. */
export function findLinks(base: string, where: readonly string[]): Diagnostic[] {
  const folders = new Set(
    where.flatMap((pattern) => (pattern.includes('<id>') ? [pattern.split('/<id>')[0] ?? ''] : [])),
  );
  return [...folders].flatMap((folder) =>
    entriesOf(base, folder).flatMap((entry) => {
      if (!entry.isSymbolicLink()) return [];
      const at = { file: `${folder}/${entry.name}`, line: 1, column: 1, pointer: '' };
      const message = 'this is a symbolic link, which is not followed';
      return [diagnose('SPEC001', at, message, { help: 'put the folder itself here' })];
    }),
  );
}

function entriesOf(base: string, folder: string) {
  if (!existsSync(join(base, folder))) return [];
  const entries = readdirSync(join(base, folder), { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
