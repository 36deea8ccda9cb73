import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visibleJson } from './visible-text.ts';

/** A file of a provider's folder. */
export interface ProviderFile {
  readonly name: string;
  readonly text: string;
  /** Leave a file of this name as it is. */
  readonly keep: boolean;
}

/** Write files of a provider; gives the names of those that were not there or were replaced. */
export function writeProvider(base: string, id: string, files: readonly ProviderFile[]): string[] {
  return files.flatMap(({ name, text, keep }) => {
    const path = join(base, 'specs/providers', id, name);
    if (keep && existsSync(path)) return [];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name.endsWith('.json') ? visibleJson(text) : text);
    return [name];
  });
}
