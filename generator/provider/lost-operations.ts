import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { planProviderFolder } from '../kinds/providers.ts';
import { type ProviderFile, writeProvider } from './draft/write-provider.ts';

/** The operations of a curation that would be gone with another description; an overlay may have them. */
export async function lostOperations(
  base: string,
  id: string,
  description: ProviderFile,
): Promise<readonly Diagnostic[]> {
  const folder = join('specs/providers', id);
  const trial = mkdtempSync(join(tmpdir(), 'provider-'));
  try {
    cpSync(join(base, folder), join(trial, folder), {
      recursive: true,
      filter: (path) => !/[/\\](?:fixtures|openapi\.(?:ya?ml|json))$/.test(path),
    });
    writeProvider(trial, id, [description]);
    const { diagnostics } = await planProviderFolder(trial, id);
    return diagnostics.filter(
      ({ code, pointer }) => code === 'P001' && pointer.startsWith('/operations/'),
    );
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}
