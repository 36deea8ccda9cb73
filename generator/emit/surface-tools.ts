import { camelCase, pascalCase } from '../model/names.ts';
import type { SurfaceModel, SurfaceTool } from '../model/surface-model.ts';
import type { EmittedFile } from './emitted-file.ts';
import { handlerInterface } from './handler-interface.ts';
import { literal } from './literal.ts';
import { constant, printSourceFile } from './source-file.ts';

/** Print the tools of a surface and the interface of the handlers that serve them. */
export function emitSurfaceTools({ id, tools }: SurfaceModel): EmittedFile {
  const handlers = `${pascalCase(id)}Tools`;
  return printSourceFile({
    path: `generated/surfaces/${id}/tools.ts`,
    source: `specs/surfaces/${id}/tools.yaml`,
    imports: [
      { from: '#contract/caller', types: ['CallContext'] },
      { from: '#contract/surface', names: ['defineTools'] },
      {
        from: './types.ts',
        types: tools.flatMap(({ argumentsType, resultType }) => [argumentsType, resultType]),
      },
    ],
    statements: [
      handlerInterface(
        handlers,
        ['One handler for each tool of this surface.'],
        tools.map((tool) => ({
          name: tool.handler,
          docs: [`${tool.description}.`],
          parameters: [`args: ${tool.argumentsType}`, 'context: CallContext'],
          returns: `Promise<${tool.resultType}>`,
        })),
      ),
      constant({
        name: `${camelCase(id)}Tools`,
        docs: ['The tools of this surface.'],
        value: `defineTools<${handlers}>(${literal(tools.map(toolValue))})`,
      }),
    ],
  });
}

function toolValue(tool: SurfaceTool): object {
  const { handler, name, title, description, annotations, access, limit, input, output } = tool;
  return { handler, name, title, description, annotations, access, limit, input, output };
}
