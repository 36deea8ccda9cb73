import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { checkIdentifiers } from '../../model/house/identifier-rules.ts';
import type { SurfaceTool } from '../../model/house/surface-model.ts';
import { planTools, type ToolsFile } from '../../model/house/surface-tools.ts';
import { textProblems } from '../../model/texts/published-texts.ts';
import type { Located } from '../../model/texts/report.ts';
import { demandsIn, readSurfaceFile, type SurfaceFile } from './surface-file.ts';

/** `tools.yaml`: the MCP tools of a surface. */
export const tools: SurfaceFile = {
  plan({ place, types, components }) {
    const read = readSurfaceFile<ToolsFile>(place, 'tools.yaml', 'surface-tools');
    if (read === undefined) return { diagnostics: [] };
    const { file, content, diagnostics } = read;
    if (content === undefined) return { toolsFile: file, diagnostics };
    const planned = planTools(content, types, components);
    return {
      model: { tools: planned },
      demands: demandsIn(planned, '/tools', file),
      toolsFile: file,
      diagnostics: [
        ...diagnostics,
        ...repeated(planned, file),
        ...clashing(planned, file),
        ...unclean(planned, file),
      ],
    };
  },
  async print(surface, used) {
    if (surface.tools.length === 0) return [];
    const { emitSurfaceTools } = await import('../../emit/surfaces/surface-tools.ts');
    return [emitSurfaceTools(surface, used)];
  },
};

function repeated(all: readonly SurfaceTool[], file: Located): Diagnostic[] {
  return all.flatMap(({ name, pointer }, index) => {
    if (all.findIndex((other) => other.name === name) === index) return [];
    const at = { ...file.locate(`${pointer}/name`), pointer: `${pointer}/name` };
    return [diagnose('SURF003', at, `tool name "${name}" is used twice`)];
  });
}

function clashing(all: readonly SurfaceTool[], file: Located): Diagnostic[] {
  const named = all.map(({ name, handler: identifier, pointer }) => ({
    name,
    identifier,
    pointer: `${pointer}/name`,
  }));
  return checkIdentifiers(named, file);
}

/** What this house writes for models has to be as clean as what others write. */
function unclean(all: readonly SurfaceTool[], file: Located): Diagnostic[] {
  return all.flatMap((tool) =>
    textProblems(tool, 'descriptions').map(({ code, message }) => {
      const pointer = `${tool.pointer}/name`;
      return diagnose(code, { ...file.locate(pointer), pointer }, message);
    }),
  );
}
