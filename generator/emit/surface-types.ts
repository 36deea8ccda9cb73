import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { Project, SyntaxKind, type TypeLiteralNode } from 'ts-morph';
import type { SurfaceModel } from '../model/surface-model.ts';
import type { EmittedFile } from './emitted-file.ts';
import { printSourceFile } from './source-file.ts';
import { namedType } from './type-text.ts';

/** Print the types of everything that the routes and tools of a surface take and give. */
export async function emitSurfaceTypes({ id, types }: SurfaceModel): Promise<EmittedFile> {
  const literal = await typesOf(Object.fromEntries(types));
  const statements = literal.getProperties().map((member) => {
    const name = member.getName();
    return namedType(name, member.getTypeNodeOrThrow(), types.get(name) ?? {});
  });
  return printSourceFile({
    path: `generated/surfaces/${id}/types.ts`,
    source: `specs/surfaces/${id}`,
    statements,
  });
}

/** The type literal behind `components['schemas']`, as openapi-typescript writes it. */
async function typesOf(schemas: Record<string, unknown>): Promise<TypeLiteralNode> {
  const info = { title: 'types', version: '1' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  // The schemas have been validated; the types of the package know fewer keywords.
  const tree = await openapiTypes(document as OpenAPI3, { immutable: true, silent: true });
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return project
    .createSourceFile('types.ts', astToString(tree))
    .getInterfaceOrThrow('components')
    .getPropertyOrThrow('schemas')
    .getTypeNodeOrThrow()
    .asKindOrThrow(SyntaxKind.TypeLiteral);
}
