import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { checkRoutes, type OwnPath } from '../model/house/route/route-owners.ts';
import { checkSurfaceIds } from '../model/house/surface-ids.ts';
import type { SurfaceModel, SurfaceTool } from '../model/house/surface-model.ts';
import { createNamedTypes } from '../model/schema/named-types.ts';
import { config } from './config.ts';
import { type Kind, models, type Place, type Planned, type Specs } from './kind/kind.ts';
import { openapi, readDescription } from './surface-files/openapi.ts';
import { prompts } from './surface-files/prompts.ts';
import { resources } from './surface-files/resources.ts';
import type { SurfaceFile } from './surface-files/surface-file.ts';
import { tools } from './surface-files/tools.ts';

/** What may stand in the folder of a surface and shares its types, in the order of its modules. */
const surfaceFiles: readonly SurfaceFile[] = [openapi, tools, prompts, resources];

/** What this server offers itself, one folder each. */
export const surfaces: Kind<SurfaceModel> = {
  name: 'surfaces',
  where: ['specs/surfaces/<id>/'],
  plan: planSurface,
  check: (parts, specs) => [
    ...checkSurfaceIds(parts.map(({ place }) => place)),
    ...checkRoutes(models(parts), ownPaths(specs)),
  ],
  tools: (model) => model.tools.map(publishedTool),
  print: printSurface,
  async docs(parts) {
    const { emitSurfacePage } = await import('../emit/docs/docs-surfaces.ts');
    return models(parts).map(emitSurfacePage);
  },
};

/** What the server itself is asked at, unless an operator says otherwise. */
function ownPaths(specs: Specs): OwnPath[] {
  return specs
    .of(config)
    .flatMap(({ model, place }) =>
      (model?.sections ?? []).flatMap(({ switches }) =>
        switches.flatMap(({ entry }) =>
          entry.env === 'MCP_PATH' && entry.type === 'string' && entry.default !== undefined
            ? [{ path: entry.default, source: `the default of ${entry.env} in ${place.path}` }]
            : [],
        ),
      ),
    );
}

/** Read and plan one surface. Its description comes first: the other files refer to its schemas. */
export async function planSurface(place: Place): Promise<Planned<SurfaceModel>> {
  const { document, components, diagnostics } = await readDescription(place);
  const types = createNamedTypes(components);
  const planning = { place, document, components, types };
  const added = surfaceFiles.map((file) => file.plan(planning));
  let model: SurfaceModel = {
    id: place.id,
    components,
    types: types.types,
    routes: [],
    tools: [],
    prompts: [],
    templates: [],
    demands: added.flatMap(({ demands = [] }) => demands),
  };
  for (const part of added) model = { ...model, ...part.model };
  const file = added.find((part) => part.toolsFile !== undefined)?.toolsFile;
  return {
    model,
    ...(file && { file }),
    diagnostics: [...diagnostics, ...added.flatMap((part) => part.diagnostics)],
  };
}

/** Print the modules of a surface: one for each of its files, their types, and the schemas they share. */
export async function printSurface(surface: SurfaceModel): Promise<EmittedFile[]> {
  const used = new Set<string>();
  const modules: EmittedFile[] = [];
  for (const file of surfaceFiles) modules.push(...(await file.print(surface, used)));
  const { emitSurfaceSchemas } = await import('../emit/surfaces/surface-schemas.ts');
  return [
    ...(surface.types.size > 0 ? [await typesOf(surface)] : []),
    ...(used.size > 0 ? [emitSurfaceSchemas(surface, used)] : []),
    ...modules,
  ];
}

/** Loaded here: it brings two compilers along, which a surface without types does not need. */
async function typesOf(surface: SurfaceModel): Promise<EmittedFile> {
  const { emitSurfaceTypes } = await import('../emit/surfaces/surface-types.ts');
  return emitSurfaceTypes(surface);
}

function publishedTool({ handler, pointer, ...definition }: SurfaceTool) {
  return { definition, request: handler, pointer };
}
