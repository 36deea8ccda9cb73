import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonSchema } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { checkIdentifiers } from '../../model/house/identifier-rules.ts';
import type { SurfaceModel } from '../../model/house/surface-model.ts';
import { planRoutes } from '../../model/house/surface-routes.ts';
import { pascalCase } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { readApi } from '../../read/read-api.ts';
import type { Place } from '../kind/kind.ts';
import type { SurfaceFile } from './surface-file.ts';

/** `openapi.yaml`: the title of a surface, its routes, and the schemas that all its files may name. */
export const openapi: SurfaceFile = {
  plan({ document, types }) {
    if (document === undefined) return { diagnostics: [] };
    const diagnostics: Diagnostic[] = [];
    const routes = planRoutes({ document, types, diagnostics });
    const demands = routes.map(({ access, method, path, pointer }) => ({
      access,
      route: { method, path },
      at: { ...document.locate(pointer), pointer },
    }));
    const named = routes.map(({ name, pointer }) => ({
      name,
      identifier: pascalCase(name),
      pointer: `${pointer}/operationId`,
    }));
    diagnostics.push(...checkIdentifiers(named, document));
    return { model: { ...titleOf(document.root), routes }, demands, diagnostics };
  },
  async print(surface, used) {
    if (surface.routes.length === 0) return [];
    const { emitSurfaceRoutes } = await import('../../emit/surfaces/surface-routes.ts');
    return [emitSurfaceRoutes(surface, used)];
  },
};

/** Read the description of a surface, where it has one. */
export async function readDescription({ base, path }: Place): Promise<{
  readonly document: ApiDocument | undefined;
  readonly components: ReadonlyMap<string, JsonSchema>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const root = join(base, path);
  const file = join(root, 'openapi.yaml');
  const { document, diagnostics } = existsSync(file)
    ? await readApi({ file, root, base })
    : { document: undefined, diagnostics: [] };
  const schemas = Object.entries(document?.root.components?.['schemas'] ?? {});
  const components = new Map<string, JsonSchema>(
    schemas.filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])),
  );
  return { document, components, diagnostics };
}

function titleOf(root: ApiDocument['root']): Pick<SurfaceModel, 'title' | 'description'> {
  const { title, summary, description } = isObject(root['info']) ? root['info'] : {};
  const text = [summary, description].filter((part) => typeof part === 'string').join('. ');
  return {
    ...(typeof title === 'string' && { title }),
    ...(text !== '' && { description: text }),
  };
}
