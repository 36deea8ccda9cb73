import { isObject, type JsonSchema } from '#contract/json';
import { pascalCase } from './names.ts';
import { componentName, componentReference } from './schema-closure.ts';

/** The named types of a surface: each object schema gets a name, however deep it stands. */
export interface NamedTypes {
  readonly types: ReadonlyMap<string, JsonSchema>;
  /** Add a schema under a name; the objects inside it become types of their own. */
  define(name: string, schema: JsonSchema): string;
  /** How TypeScript calls a value of this schema; `name` is used where it needs a name. */
  typeOf(schema: JsonSchema, name: string): string;
}

/** Start with the components of a description. */
export function createNamedTypes(components: ReadonlyMap<string, JsonSchema>): NamedTypes {
  const types = new Map<string, JsonSchema>();
  // Reserved first, so that no inner object takes the name of a component.
  for (const name of components.keys()) types.set(name, {});
  for (const [name, schema] of components) types.set(name, lift(schema, name));

  function define(wanted: string, schema: JsonSchema): string {
    const name = freeName(wanted, types);
    types.set(name, {});
    types.set(name, lift(schema, name));
    return name;
  }

  /** A copy of the schema in which each inner object is a reference to a type of its own. */
  function lift(schema: JsonSchema, name: string): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [
        keyword,
        liftKeyword(keyword, value, name),
      ]),
    );
  }

  function liftKeyword(keyword: string, value: unknown, name: string): unknown {
    switch (keyword) {
      case 'properties':
        return isObject(value) ? mapValues(value, (key) => name + pascalCase(key)) : value;
      case 'items':
        return inner(value, singular(name));
      case 'additionalProperties':
        return inner(value, `${name}Value`);
      case 'oneOf':
      case 'anyOf':
      case 'allOf':
      case 'prefixItems':
        return Array.isArray(value)
          ? value.map((member, index) => inner(member, `${name}${index + 1}`))
          : value;
      default:
        return value;
    }
  }

  function mapValues(schemas: Record<string, unknown>, nameOf: (key: string) => string): unknown {
    const entries = Object.entries(schemas).map(([key, member]) => [
      key,
      inner(member, nameOf(key)),
    ]);
    return Object.fromEntries(entries);
  }

  function inner(schema: unknown, name: string): unknown {
    if (!isObject(schema)) return schema;
    if (!isObject(schema['properties'])) return lift(schema, name);
    const { description, ...rest } = schema;
    const reference = { $ref: componentReference(define(name, rest)) };
    return description === undefined ? reference : { ...reference, description };
  }

  return {
    types,
    define,
    typeOf(schema, name) {
      const component = componentName(schema['$ref']);
      if (component !== undefined) return component;
      return schema['type'] === 'string' && !schema['enum'] ? 'string' : define(name, schema);
    },
  };
}

function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`;
  return name;
}
