import type { SurfaceModel } from '../model/surface-model.ts';
import type { EmittedFile } from './emitted-file.ts';
import { emitSurfaceRoutes } from './surface-routes.ts';
import { emitSurfaceSchemas } from './surface-schemas.ts';
import { emitSurfaceTools } from './surface-tools.ts';
import { emitSurfaceTypes } from './surface-types.ts';

/** Print everything that is generated for a surface. */
export async function emitSurface(surface: SurfaceModel): Promise<EmittedFile[]> {
  const used = new Set<string>();
  const routes = surface.routes.length > 0 ? [emitSurfaceRoutes(surface, used)] : [];
  const tools = surface.tools.length > 0 ? [emitSurfaceTools(surface, used)] : [];
  return [
    ...(surface.types.size > 0 ? [await emitSurfaceTypes(surface)] : []),
    ...(used.size > 0 ? [emitSurfaceSchemas(surface, used)] : []),
    ...routes,
    ...tools,
  ];
}
