import type { GlobalContext, OpenAPI3, SchemaObject } from 'openapi-typescript';
import type { JsonSchema } from '#contract/json';
import { Printed } from './printed.ts';
import { namedType } from './type-text.ts';

/** What makes types of schemas, without what bundles and lints documents, which takes longer to load. */
async function loadTransform() {
  const [{ default: transformSchemaObject }, { resolveRef }] = await Promise.all([
    import('openapi-typescript/dist/transform/schema-object.mjs'),
    import('openapi-typescript/dist/lib/utils.mjs'),
  ]);
  return { transformSchemaObject, resolveRef };
}

/** Print a named type for each schema: what openapi-typescript makes of it, without its document. */
export async function schemaTypes(types: ReadonlyMap<string, JsonSchema>): Promise<Printed[]> {
  // Loaded here: it brings a compiler along that a run without changes does not need.
  const { transformSchemaObject, resolveRef } = await loadTransform();
  // The schemas have been validated; the types of the package know fewer keywords.
  const document = { components: { schemas: Object.fromEntries(types) } } as unknown as OpenAPI3;
  // Its own entry fills in these settings, but bundles and lints a whole document before.
  const ctx = {
    immutable: true,
    silent: true,
    // Nothing fills in defaults on the way to a handler.
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    resolve: <T>(reference: string) => resolveRef<T>(document, reference, { silent: true }),
  } as unknown as GlobalContext;
  return [...types].map(([name, schema]) => {
    const path = `#/components/schemas/${name}`;
    const type = transformSchemaObject(schema as SchemaObject, { path, ctx });
    return new Printed(namedType(name, type, schema));
  });
}
