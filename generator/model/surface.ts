import { isObject, type JsonSchema } from '#contract/json';
import type { Diagnostic } from '../diagnostic.ts';
import type { ApiDocument } from '../read/api-document.ts';
import { createNamedTypes } from './named-types.ts';
import type { SurfaceModel } from './surface-model.ts';
import { planRoutes } from './surface-routes.ts';
import { planTools, type ToolsFile } from './surface-tools.ts';

/** What a surface's folder holds; a surface without routes or without tools lacks that file. */
export interface SurfaceSpec {
  readonly id: string;
  readonly document?: ApiDocument;
  readonly tools?: ToolsFile;
}

/** Turn the files of a surface into its model. */
export function planSurface({ id, document, tools }: SurfaceSpec): {
  readonly model: SurfaceModel;
  readonly diagnostics: readonly Diagnostic[];
} {
  const schemas = Object.entries(document?.root.components?.['schemas'] ?? {});
  const components = new Map<string, JsonSchema>(
    schemas.filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])),
  );
  const types = createNamedTypes(components);
  const diagnostics: Diagnostic[] = [];
  const routes = document ? planRoutes({ document, components, types, diagnostics }) : [];
  const model: SurfaceModel = {
    id,
    components,
    routes,
    tools: tools ? planTools(tools, types, components) : [],
    types: types.types,
  };
  return { model, diagnostics };
}
