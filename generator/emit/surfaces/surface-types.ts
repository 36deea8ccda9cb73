import type { SurfaceModel } from '../../model/house/surface-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { schemaTypes } from '../print/schema-types.ts';
import { printSourceFile } from '../print/source-file.ts';

/** Print the types of everything that the routes and tools of a surface take and give. */
export async function emitSurfaceTypes({ id, types }: SurfaceModel): Promise<EmittedFile> {
  const file = printSourceFile({
    path: `generated/surfaces/${id}/types.ts`,
    source: `specs/surfaces/${id}`,
    statements: (await schemaTypes(types)).map(String),
  });
  return { ...file, isRaw: true };
}
