import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { Layouts, literal } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
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
      definitions: besides(`./providers/${settings.id}/definitions.json`),
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

/** Where a file lies that is read when it is needed. */
function besides(path: string): Layouts {
  return new Layouts(
    `new URL(${quoted(path)}, import.meta.url)`,
    `new URL(\n  ${quoted(path)},\n  import.meta.url,\n)`,
  );
}
