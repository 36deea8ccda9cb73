import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#contract/json';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Curation } from '../../model/shape/curation.ts';
import type { ProviderSources } from '../../model/shape/provider-sources.ts';
import { readApi } from '../../read/read-api.ts';
import { type CheckedFile, readChecked } from '../../read/text/checked-yaml.ts';
import { printedPath } from '../../read/text/parsed-file.ts';

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
  const all = [...curation.diagnostics, ...repeatedDescriptions(root, base), ...diagnostics];
  const sound = soundPart(curation);
  if (sound === undefined || document === undefined) return { diagnostics: all };
  const fixtures = fileNames(join(root, 'fixtures'));
  return { sources: { folder, ...sound, document, fixtures }, diagnostics: all };
}

/** A second description beside the first would be left out without a word. */
function repeatedDescriptions(root: string, base: string): Diagnostic[] {
  const [first, ...others] = descriptions.filter((name) => existsSync(join(root, name)));
  return others.map((name) => {
    const at = { file: printedPath(join(root, name), base), line: 1, column: 1, pointer: '' };
    return diagnose('SPEC001', at, `${first} is read, so this file is not`, {
      help: 'keep one of the two',
    });
  });
}

/** What of a curation can be checked further: all of it, or else its operations without errors. */
function soundPart({
  file,
  content,
  diagnostics,
}: CheckedFile<Curation>): Pick<ProviderSources, 'curation' | 'curationFile'> | undefined {
  if (content !== undefined) return { curation: content, curationFile: file };
  if (!isObject(file.value) || !Array.isArray(file.value['operations'])) return undefined;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const faulty = errors.map(({ pointer }) => /^\/operations\/(\d+)/.exec(pointer)?.[1]);
  if (faulty.includes(undefined)) return undefined;
  const { operations, verify: _, ...rest } = file.value;
  const kept = [...operations.keys()].filter((index) => !faulty.includes(String(index)));
  if (kept.length === 0) return undefined;
  const original = (pointer: string) =>
    pointer.replace(/^\/operations\/(\d+)/, (_, index) => `/operations/${kept[Number(index)]}`);
  return {
    // The schema complained of the other operations alone.
    curation: {
      ...rest,
      operations: kept.map((index) => operations[index]),
    } as unknown as Curation,
    curationFile: { original, locate: (pointer) => file.locate(original(pointer)) },
  };
}

/** Names in a folder, in code unit order: what the file system says varies between machines. */
export function fileNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
