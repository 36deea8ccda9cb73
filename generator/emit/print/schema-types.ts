import type { OpenAPI3 } from 'openapi-typescript';
import { Project, SyntaxKind, type TypeLiteralNode } from 'ts-morph';
import type { JsonSchema } from '#contract/json';
import { Printed } from './printed.ts';
import { namedType } from './type-text.ts';

/** Print a named type for each schema. */
export async function schemaTypes(types: ReadonlyMap<string, JsonSchema>): Promise<Printed[]> {
  const literal = await typesOf(Object.fromEntries(types));
  return literal.getProperties().map((member) => {
    const name = member.getName();
    return new Printed(namedType(name, member.getTypeNodeOrThrow(), types.get(name) ?? {}));
  });
}

/** The type literal behind `components['schemas']`, as openapi-typescript writes it. */
async function typesOf(schemas: Record<string, unknown>): Promise<TypeLiteralNode> {
  // Loaded here: it brings a compiler along that a run without changes does not need.
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const info = { title: 'types', version: '1' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  // The schemas have been validated; the types of the package know fewer keywords.
  const tree = await openapiTypes(document as OpenAPI3, {
    immutable: true,
    silent: true,
    // Nothing fills in defaults on the way to a handler.
    defaultNonNullable: false,
  });
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return project
    .createSourceFile('types.ts', astToString(tree))
    .getInterfaceOrThrow('components')
    .getPropertyOrThrow('schemas')
    .getTypeNodeOrThrow()
    .asKindOrThrow(SyntaxKind.TypeLiteral);
}
