import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';
import { providerSkillName } from '../skills/provider-skill.ts';
import { searchName } from './provider-search.ts';

/** Print `generated/providers.ts`: every provider by its id, loaded on first use. */
export function emitProviderMap(providers: readonly ProviderModel[]): EmittedFile {
  const entries = providers.map(({ settings, exportName, presets: own, env }) => [
    settings.id,
    {
      title: settings.title,
      presets: own,
      env,
      load: lazyImport(`./providers/${settings.id}/index.ts`, exportName),
      search: lazyImport(`./providers/${settings.id}/search-documents.ts`, searchName(exportName)),
      skill: lazyImport(`./providers/${settings.id}/skill.ts`, providerSkillName(exportName)),
    },
  ]);
  return printSourceFile({
    path: 'generated/providers.ts',
    source: 'specs/providers',
    imports: [{ from: '#contract/provider', types: ['ProviderEntry'] }],
    statements: [
      constant({
        name: 'providers',
        type: 'Readonly<Record<string, ProviderEntry>>',
        docs: ['Every provider by its id.'],
        value: literal(Object.fromEntries(entries), { depth: 0, used: 100, after: 1 }),
      }),
    ],
  });
}
