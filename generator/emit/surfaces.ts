import type { SurfaceModel } from '../model/surface-model.ts';
import type { EmittedFile } from './emitted-file.ts';
import { emitSurfaceRoutes } from './surface-routes.ts';
import { emitSurfaceTools } from './surface-tools.ts';
import { emitSurfaceTypes } from './surface-types.ts';

/** Print everything that is generated for a surface. */
export async function emitSurface(surface: SurfaceModel): Promise<EmittedFile[]> {
  return [
    ...(surface.types.size > 0 ? [await emitSurfaceTypes(surface)] : []),
    ...(surface.routes.length > 0 ? [emitSurfaceRoutes(surface)] : []),
    ...(surface.tools.length > 0 ? [emitSurfaceTools(surface)] : []),
  ];
}
