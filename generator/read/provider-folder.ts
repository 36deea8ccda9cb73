import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostic.ts';
import type { Curation } from '../model/curation.ts';
import type { ProviderSources } from '../model/plan-provider.ts';
import { readChecked } from './checked-yaml.ts';
import { readApi } from './read-api.ts';

const descriptions = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/** Read what stands in the folder of a provider: curation, description, overlay, fixtures. */
export async function readProviderFolder(
  folder: string,
  base: string,
): Promise<{ sources?: ProviderSources; diagnostics: readonly Diagnostic[] }> {
  const root = join(base, folder);
  const named = (name: string) => (existsSync(join(root, name)) ? join(root, name) : undefined);
  const curation = readChecked<Curation>(join(root, 'curation.yaml'), base, 'provider-curation');
  const overlay = named('overlay.yaml');
  const { document, diagnostics } = await readApi({
    file: descriptions.map(named).find((path) => path !== undefined) ?? join(root, 'openapi.yaml'),
    root,
    base,
    ...(overlay !== undefined && { overlay }),
  });
  const all = [...curation.diagnostics, ...diagnostics];
  if (curation.content === undefined || document === undefined) return { diagnostics: all };
  const sources = {
    folder,
    curation: curation.content,
    curationFile: curation.file,
    document,
    fixtures: fileNames(join(root, 'fixtures')),
  };
  return { sources, diagnostics: all };
}

/** Names in a folder, in code unit order: what the file system says varies between machines. */
export function fileNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
