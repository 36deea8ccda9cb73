import { checkPrompts, type PromptsFile, planPrompts } from '../../model/house/surface-offers.ts';
import { demandsIn, readSurfaceFile, type SurfaceFile } from './surface-file.ts';

/** `prompts.yaml`: the MCP prompts of a surface. */
export const prompts: SurfaceFile = {
  plan({ place }) {
    const read = readSurfaceFile<PromptsFile>(place, 'prompts.yaml', 'surface-prompts');
    if (read?.content === undefined) return { diagnostics: read?.diagnostics ?? [] };
    const { file, content, diagnostics } = read;
    return {
      model: { prompts: planPrompts(content) },
      demands: demandsIn(content.prompts, '/prompts', file),
      diagnostics: [...diagnostics, ...checkPrompts(content, file)],
    };
  },
  async print(surface) {
    if (surface.prompts.length === 0) return [];
    const { emitSurfacePrompts } = await import('../../emit/surfaces/surface-offers.ts');
    return [emitSurfacePrompts(surface)];
  },
};
