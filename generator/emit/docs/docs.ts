import type { ConfigModel } from '../../model/house/config-model.ts';
import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { emitConfigurationPage } from './docs-configuration.ts';
import { emitErrorPages } from './docs-errors.ts';
import { emitProviderPage, listedTool, toolTable } from './docs-providers.ts';
import { emitSurfacePage } from './docs-surfaces.ts';
import { code, page, prose } from './markdown.ts';

/** Everything that the documentation speaks of. */
export interface Documented {
  readonly config: ConfigModel;
  readonly surfaces: readonly SurfaceModel[];
  readonly providers: readonly ProviderModel[];
}

/** Print the pages: configuration, tools, one per surface, one per provider, one per error code. */
export function emitDocs({ config, surfaces, providers }: Documented): EmittedFile[] {
  return [
    emitConfigurationPage(config, providers),
    toolsPage(surfaces, providers),
    ...surfaces.map(emitSurfacePage),
    ...providers.map(emitProviderPage),
    ...emitErrorPages(),
  ];
}

function toolsPage(
  surfaces: readonly SurfaceModel[],
  providers: readonly ProviderModel[],
): EmittedFile {
  const own = surfaces.filter(({ tools }) => tools.length > 0);
  return page('tools.md', 'specs', [
    '# Tools',
    ...own.map(({ id, tools }) => {
      const listed = tools.map((tool) => ({ ...tool, purpose: tool.description }));
      return `## [${code(id)}](surfaces/${id}.md)\n\n${toolTable(listed)}`;
    }),
    ...providers.map(({ settings, tools }) => {
      const title = `[${prose(settings.title)}](providers/${settings.id}.md)`;
      return `## ${title}\n\n${toolTable(tools.map(listedTool))}`;
    }),
  ]);
}
