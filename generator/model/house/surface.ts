import { isObject, type JsonSchema } from '#contract/json';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import type { CheckedFile } from '../../read/text/checked-yaml.ts';
import { createNamedTypes } from '../schema/named-types.ts';
import { textProblems } from '../texts/published-texts.ts';
import type { Located } from '../texts/report.ts';
import type { SurfaceModel, SurfaceTool } from './surface-model.ts';
import {
  checkPrompts,
  checkTemplates,
  type PromptsFile,
  planPrompts,
  planTemplates,
  type ResourcesFile,
} from './surface-offers.ts';
import { planRoutes } from './surface-routes.ts';
import { planTools, type ToolsFile } from './surface-tools.ts';

/** What a surface's folder holds; a surface without routes or without tools lacks that file. */
export interface SurfaceSources {
  readonly id: string;
  readonly document?: ApiDocument;
  readonly tools?: ToolsFile;
  readonly toolsFile?: Located;
  readonly prompts?: CheckedFile<PromptsFile>;
  readonly resources?: CheckedFile<ResourcesFile>;
}

/** Turn the files of a surface into its model. */
export function planSurface(sources: SurfaceSources): {
  readonly model: SurfaceModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { id, document, tools, toolsFile, prompts, resources } = sources;
  const schemas = Object.entries(document?.root.components?.['schemas'] ?? {});
  const components = new Map<string, JsonSchema>(
    schemas.filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])),
  );
  const types = createNamedTypes(components);
  const diagnostics: Diagnostic[] = [];
  const routes = document ? planRoutes({ document, types, diagnostics }) : [];
  const model: SurfaceModel = {
    id,
    ...titleOf(document?.root),
    components,
    routes,
    tools: tools ? planTools(tools, types, components) : [],
    prompts: prompts?.content ? planPrompts(prompts.content) : [],
    templates: resources?.content ? planTemplates(resources.content) : [],
    types: types.types,
  };
  const repeated = toolsFile ? repeatedTools(model.tools, toolsFile) : [];
  const texts = toolsFile ? toolTextProblems(model.tools, toolsFile) : [];
  return { model, diagnostics: [...diagnostics, ...repeated, ...texts, ...offerProblems(sources)] };
}

/** What this house writes for models has to be as clean as what others write. */
function toolTextProblems(tools: readonly SurfaceTool[], file: Located): Diagnostic[] {
  return tools.flatMap((tool) =>
    textProblems(tool, 'descriptions').map(({ code, message }) => {
      const pointer = `${tool.pointer}/name`;
      return diagnose(code, { ...file.locate(pointer), pointer }, message);
    }),
  );
}

function offerProblems({ prompts, resources }: SurfaceSources): Diagnostic[] {
  return [
    ...(prompts?.diagnostics ?? []),
    ...(prompts?.content ? checkPrompts(prompts.content, prompts.file) : []),
    ...(resources?.diagnostics ?? []),
    ...(resources?.content ? checkTemplates(resources.content, resources.file) : []),
  ];
}

function titleOf(
  root: ApiDocument['root'] | undefined,
): Pick<SurfaceModel, 'title' | 'description'> {
  const { title, summary, description } = isObject(root?.['info']) ? root['info'] : {};
  const text = [summary, description].filter((part) => typeof part === 'string').join('. ');
  return {
    ...(typeof title === 'string' && { title }),
    ...(text !== '' && { description: text }),
  };
}

function repeatedTools(tools: readonly SurfaceTool[], file: Located): Diagnostic[] {
  return tools.flatMap(({ name, pointer }, index) => {
    if (tools.findIndex((other) => other.name === name) === index) return [];
    const at = { ...file.locate(`${pointer}/name`), pointer: `${pointer}/name` };
    return [diagnose('SURF003', at, `tool name "${name}" is used twice`)];
  });
}
