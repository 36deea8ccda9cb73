// The modules of the package that make types; its own entry loads all that reads whole documents, too.
declare module 'openapi-typescript/dist/transform/schema-object.mjs' {
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export { transformSchemaObject as default } from 'openapi-typescript';
}
declare module 'openapi-typescript/dist/lib/utils.mjs' {
  export { resolveRef } from 'openapi-typescript';
}
