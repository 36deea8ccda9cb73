import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { plain, printed } from '../print/printed.ts';
import { code, page, prose } from './markdown.ts';
import { toolRow } from './tool-page.ts';

/** The page of all tools. */
export function emitToolsPage(
  surfaces: readonly SurfaceModel[],
  providers: readonly ProviderModel[],
): EmittedFile {
  const own = surfaces.filter(({ tools }) => tools.length > 0);
  return page('tools.md', 'specs', 'tools', {
    groups: [
      ...own.map(({ id, tools }) => ({
        title: printed`[${code(id)}](surfaces/${plain(id)}.md)`,
        tools: tools.map((tool) => toolRow(tool, tool.description)),
      })),
      ...providers.map(({ settings: { id, title }, tools }) => ({
        title: printed`[${prose(title)}](providers/${plain(id)}.md)`,
        tools: tools.map(({ definition, purpose }) => toolRow(definition, purpose)),
      })),
    ],
  });
}
