import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { emitSurfacePrompts, emitSurfaceTemplates } from './surface-offers.ts';
import { emitSurfaceRoutes } from './surface-routes.ts';
import { emitSurfaceSchemas } from './surface-schemas.ts';
import { emitSurfaceTools } from './surface-tools.ts';

/** Print everything that is generated for a surface. */
export async function emitSurface(surface: SurfaceModel): Promise<EmittedFile[]> {
  const used = new Set<string>();
  const routes = surface.routes.length > 0 ? [emitSurfaceRoutes(surface, used)] : [];
  const tools = surface.tools.length > 0 ? [emitSurfaceTools(surface, used)] : [];
  return [
    ...(surface.types.size > 0 ? [await typesOf(surface)] : []),
    ...(used.size > 0 ? [emitSurfaceSchemas(surface, used)] : []),
    ...routes,
    ...tools,
    ...(surface.prompts.length > 0 ? [emitSurfacePrompts(surface)] : []),
    ...(surface.templates.length > 0 ? [emitSurfaceTemplates(surface)] : []),
  ];
}

/** Loaded here: it brings two compilers along, which providers do not need. */
async function typesOf(surface: SurfaceModel): Promise<EmittedFile> {
  const { emitSurfaceTypes } = await import('./surface-types.ts');
  return emitSurfaceTypes(surface);
}
