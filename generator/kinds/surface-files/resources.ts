import {
  checkTemplates,
  planTemplates,
  type ResourcesFile,
} from '../../model/house/surface-offers.ts';
import { demandsIn, readSurfaceFile, type SurfaceFile } from './surface-file.ts';

/** `resources.yaml`: the MCP resource templates of a surface. */
export const resources: SurfaceFile = {
  plan({ place }) {
    const read = readSurfaceFile<ResourcesFile>(place, 'resources.yaml', 'surface-resources');
    if (read?.content === undefined) return { diagnostics: read?.diagnostics ?? [] };
    const { file, content, diagnostics } = read;
    return {
      model: { templates: planTemplates(content) },
      demands: demandsIn(content.templates, '/templates', file),
      diagnostics: [...diagnostics, ...checkTemplates(content, file)],
    };
  },
  async print(surface) {
    if (surface.templates.length === 0) return [];
    const { emitSurfaceTemplates } = await import('../../emit/surfaces/surface-offers.ts');
    return [emitSurfaceTemplates(surface)];
  },
};
