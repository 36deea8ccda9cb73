import { isObject, type JsonSchema } from '#contract/json';
import { oncePerObject } from '../../model/schema/once/once-per-object.ts';
import type { ArgumentModel, ProviderModel, ToolModel } from '../../model/shape/provider-model.ts';
import { argumentType } from '../print/argument-type.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { firstSentence } from '../print/first-sentence.ts';
import { interfaceText, type Property } from '../print/interface-text.ts';
import { lineWidth, members, propertyName, Shared } from '../print/literal.ts';
import { template } from '../print/quoted.ts';
import { constant, type Imports, printSourceFile } from '../print/source-file.ts';
import { wholeInputsUrl } from './provider-wholes.ts';
import { relaxedOutput } from './relaxed-output.ts';
import { requestBuilder, type UsedNames } from './request-builder.ts';

/** Print one file of a provider: the tools of one resource. */
export function emitResource(
  { folder, settings }: ProviderModel,
  resource: string,
  tools: readonly ToolModel[],
): EmittedFile {
  const used: UsedNames = { path: new Set(), request: new Set(), relaxed: new Set() };
  const types = new Set<string>();
  const statements = tools.flatMap((tool) => [
    ...argumentsInterface(tool, types),
    ...documentConstant(tool),
    toolConstant(tool, used),
  ]);
  const imports: Imports[] = [
    { from: '#contract/tool', names: ['defineTool', 'path'] },
    { from: '#contract/request', names: [...used.request] },
    { from: '#contract/path', names: [...used.path] },
    { from: '#contract/schema/relaxed', names: [...used.relaxed] },
    { from: '#contract/json', types: [...types] },
  ];
  return printSourceFile({
    path: `generated/providers/${settings.id}/${resource}.ts`,
    source: folder,
    imports: imports.filter(({ names = [], types: own = [] }) => names.length + own.length > 0),
    statements,
  });
}

function argumentsInterface(
  { argumentsType, arguments: all, definition }: ToolModel,
  types: Set<string>,
): string[] {
  if (argumentsType === undefined) return [];
  const docs = [`Arguments of \`${definition.name}\`.`];
  const properties = all.map((argument) => propertyOf(argument, types));
  return [interfaceText(argumentsType, docs, properties)];
}

function propertyOf(
  { name, required, kinds, place, description }: ArgumentModel,
  types: Set<string>,
): Property {
  const room = lineWidth - `  ${propertyName(name)}?: ;`.length;
  const type = argumentType(kinds, place, room);
  for (const [word] of type.matchAll(/\bJson(?:Object)?\b/g)) types.add(word);
  return {
    name,
    type,
    optional: !required,
    docs: description === undefined ? [] : [firstSentence(description)],
  };
}

function documentConstant({ request }: ToolModel): string[] {
  const { body } = request;
  if (body?.kind !== 'graphql') return [];
  return [
    constant({ name: body.constant, value: template(body.document.trim()), exported: false }),
  ];
}

function toolConstant(tool: ToolModel, used: UsedNames): string {
  const { definition, exportName, argumentsType, origin, purpose, behaviour } = tool;
  const call = `defineTool${argumentsType === undefined ? '' : `<${argumentsType}>`}`;
  const [before, after, depth] = frame(`export const ${exportName} = ${call}(`.length);
  const { response, paging, ...rest } = behaviour;
  const request = requestBuilder(tool, used, depth + 1);
  const output = definition.output && { output: relaxedOutput(definition.output, used.relaxed) };
  const wholeInputs = tool.wholeInput && wholeInputsUrl();
  const lines = members(
    {
      ...definition,
      input: withShared(definition.input),
      ...output,
      wholeInputs,
      request,
      response,
      paging,
      ...rest,
    },
    depth,
  );
  return constant({
    name: exportName,
    docs: [
      `${purpose.replace(/[.]$/, '')}.`,
      `${origin.method} ${origin.path} (${origin.reference})`,
    ],
    value: `${before(call)}\n${lines.join('\n')}\n${after}`,
  });
}

/** The schema with its definitions, of which the most are those of other tools too, printed once. */
function withShared(input: JsonSchema): JsonSchema {
  const { $defs } = input;
  if (!isObject($defs)) return input;
  const named = Object.entries($defs).map(([name, definition]) => [
    name,
    isObject(definition) ? sharedDefinition(definition) : definition,
  ]);
  return { ...input, $defs: Object.fromEntries(named) };
}

const sharedDefinition = oncePerObject((definition: JsonSchema) => new Shared(definition));

/** How Biome lays out a call with one object, by the columns that are taken up to its parenthesis. */
function frame(columns: number): [before: (call: string) => string, after: string, depth: number] {
  if (columns < lineWidth) return [(call) => `${call}({`, '})', 0];
  if (columns === lineWidth) return [(call) => `${call}(\n  {`, '  },\n)', 1];
  return [(call) => `\n  ${call}({`, '  })', 1];
}
