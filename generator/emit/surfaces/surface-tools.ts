import type { SurfaceModel, SurfaceTool } from '../../model/house/surface-model.ts';
import { demandsOf } from '../../model/operation/operation-demands.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { handlerInterface } from '../print/handler-interface.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';
import { createSchemaPrinter, type SchemaPrinter } from './surface-schemas.ts';

/** The type of a result that the handler makes as a whole. */
const wholeResult = 'ToolResult';

/** Print the tools of a surface and the interface of the handlers that serve them. */
export function emitSurfaceTools(surface: SurfaceModel, used: Set<string>): EmittedFile {
  const { id, tools } = surface;
  const schemas = createSchemaPrinter(surface, used);
  const value = literal(tools.map((tool) => toolValue(tool, schemas)));
  const handlers = `${pascalCase(id)}Tools`;
  const isWhole = tools.some(({ resultType }) => resultType === undefined);
  return printSourceFile({
    path: `generated/surfaces/${id}/tools.ts`,
    source: `specs/surfaces/${id}/tools.yaml`,
    imports: [
      { from: '#contract/caller', types: ['CallContext'] },
      { from: '#contract/surface/surface', names: ['defineTools'] },
      ...(isWhole ? [{ from: '#contract/tool', types: [wholeResult] }] : []),
      ...schemas.imports(),
      {
        from: './types.ts',
        types: tools.flatMap(({ argumentsType, resultType = [] }) =>
          [argumentsType, resultType].flat(),
        ),
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
          returns: `Promise<${tool.resultType ?? wholeResult}>`,
        })),
      ),
      constant({
        name: `${camelCase(id)}Tools`,
        docs: ['The tools of this surface.'],
        value: `defineTools<${handlers}>(${value})`,
      }),
    ],
  });
}

function toolValue(tool: SurfaceTool, schemas: SchemaPrinter): object {
  const { handler, name, title, description, annotations } = tool;
  const input = schemas.value(tool.input);
  const output = tool.output && schemas.value(tool.output);
  return { handler, name, title, description, annotations, ...demandsOf(tool), input, output };
}
