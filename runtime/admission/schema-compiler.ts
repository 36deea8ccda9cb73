import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '#contract/json';

/** Compiles JSON Schemas of the dialect 2020-12. */
export interface SchemaCompiler {
  compile(schema: JsonSchema): ValidateFunction;
}

/**
 * Make a compiler whose validators stop at the first problem, or look for all of them. They never
 * change what they check.
 */
export function createSchemaCompiler({ allErrors }: { allErrors: boolean }): SchemaCompiler {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: false,
    unicodeRegExp: false,
    useDefaults: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: uniqueItems,
  });
  return {
    compile(schema) {
      // Two tools of one vendor may carry the same `$id`, which the compiler would refuse.
      const { $id: _, ...anonymous } = schema;
      return ajv.compile(anonymous);
    },
  };
}

/** Takes linear time; the compiler's own comparison of every pair can be made to run for minutes. */
function uniqueItems(wanted: boolean, items: readonly unknown[]): boolean {
  return !wanted || new Set(items.map(canonical)).size === items.length;
}

/** JSON text that is equal exactly where two values are (JSON Schema 2020-12 core, 4.2.2). */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  });
}
