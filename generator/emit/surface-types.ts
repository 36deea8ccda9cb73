import type { SurfaceModel } from '../model/surface-model.ts';
import type { EmittedFile } from './emitted-file.ts';
import { schemaTypes } from './schema-types.ts';
import { printSourceFile } from './source-file.ts';

/** Print the types of everything that the routes and tools of a surface take and give. */
export async function emitSurfaceTypes({ id, types }: SurfaceModel): Promise<EmittedFile> {
  return printSourceFile({
    path: `generated/surfaces/${id}/types.ts`,
    source: `specs/surfaces/${id}`,
    statements: await schemaTypes(types),
  });
}
