import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkLinks, putFile } from '../../write/put-file.ts';
import { visibleJson } from './visible-text.ts';

/** A file of a provider's folder. */
export interface ProviderFile {
  readonly name: string;
  readonly text: string;
  /** Leave a file of this name as it is. */
  readonly keep: boolean;
}

/**
 * Write files of a provider; gives the names of those that were not there or were replaced.
 *
 * @throws UnsafePathError, before anything is written
 * @throws WriteError
 */
export function writeProvider(base: string, id: string, files: readonly ProviderFile[]): string[] {
  const pathOf = (name: string) => `specs/providers/${id}/${name}`;
  const due = files.filter(({ name, keep }) => !(keep && existsSync(join(base, pathOf(name)))));
  for (const { name } of due) checkLinks(base, pathOf(name));
  for (const { name, text } of due) {
    putFile(base, pathOf(name), name.endsWith('.json') ? visibleJson(text) : text);
  }
  return due.map(({ name }) => name);
}
