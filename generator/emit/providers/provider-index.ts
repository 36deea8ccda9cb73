import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { members } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `index.ts` of a provider: where it lives, what it asks for, and its tools by name. */
export function emitProviderIndex({
  folder,
  settings,
  exportName,
  tools,
}: ProviderModel): EmittedFile {
  const lazy = tools.map(({ definition, resource, exportName: tool }) => [
    definition.name,
    lazyImport(`./${resource}.ts`, tool),
  ]);
  const lines = members({ ...settings, tools: Object.fromEntries(lazy) }, 0);
  return printSourceFile({
    path: `generated/providers/${settings.id}/index.ts`,
    source: folder,
    imports: [{ from: '#contract/provider', names: ['defineProvider'] }],
    statements: [
      constant({
        name: exportName,
        docs: [`${settings.title}.`],
        value: `defineProvider({\n${lines.join('\n')}\n})`,
      }),
    ],
  });
}
