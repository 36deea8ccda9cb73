import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { listedTool, toolTable } from './docs-providers.ts';
import { code, page, prose } from './markdown.ts';

/** The page of all tools. */
export function emitToolsPage(
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
