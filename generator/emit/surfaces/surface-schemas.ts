import { isObject, type JsonSchema } from '#contract/json';
import type { SurfaceModel } from '../../model/house/surface-model.ts';
import { closeSchema, componentName } from '../../model/schema/schema-closure.ts';
import { asIdentifier, camelCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Code, literal } from '../print/literal.ts';
import { constant, type Imports, printSourceFile } from '../print/source-file.ts';

/** Prints schemas that share their parts: each component is one constant. */
export interface SchemaPrinter {
  /** The schema as a value for `literal`; what it refers to is named, not repeated. */
  value(schema: JsonSchema): object;
  /** Import of the constants that the values above name. */
  imports(): Imports[];
}

/** Start to print the schemas of one file of a surface; components that it uses join `used`. */
export function createSchemaPrinter(
  { components }: SurfaceModel,
  used: Set<string>,
): SchemaPrinter {
  const imported = new Set<string>();

  function constantOf(name: string): Code {
    used.add(name);
    imported.add(constantName(name));
    return new Code(constantName(name));
  }

  return {
    value(schema) {
      const name = componentName(schema['$ref']);
      const whole = name === undefined ? schema : (components.get(name) ?? {});
      const { $defs, ...own } = closeSchema(whole, components);
      const definitions = isObject($defs)
        ? Object.fromEntries(Object.keys($defs).map((key) => [key, constantOf(key)]))
        : undefined;
      if (name === undefined) return { ...own, $defs: definitions };
      const root = constantOf(name);
      if (definitions === undefined) return root;
      return new Code(`{ ...${root.text}, $defs: ${literal(definitions)} }`);
    },
    imports: () => (imported.size === 0 ? [] : [{ from: './schemas.ts', names: [...imported] }]),
  };
}

/** Print the components of a surface that its routes and tools use. */
export function emitSurfaceSchemas(
  { id, components }: SurfaceModel,
  used: ReadonlySet<string>,
): EmittedFile {
  const shown = [...components].filter(([name]) => used.has(name));
  return printSourceFile({
    path: `generated/surfaces/${id}/schemas.ts`,
    source: `specs/surfaces/${id}/openapi.yaml`,
    imports: [{ from: '#contract/json', types: ['JsonSchema'] }],
    statements: shown.map(([name, schema]) => {
      const { $defs: _, description, ...own } = closeSchema(schema, components);
      const head = `export const ${constantName(name)}: JsonSchema = `;
      const value = { description, ...own };
      return constant({
        name: constantName(name),
        type: 'JsonSchema',
        value: literal(value, { depth: 0, used: head.length, after: 1 }),
      });
    }),
  });
}

function constantName(component: string): string {
  return asIdentifier(camelCase(component));
}
