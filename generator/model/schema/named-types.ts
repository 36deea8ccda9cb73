import { isObject, type JsonSchema } from '#contract/json';
import { pascalCase } from '../texts/names.ts';
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
  const types: Types = new Map();
  // Reserved first, so that no inner object takes the name of a component.
  for (const name of components.keys()) types.set(name, {});
  for (const [name, schema] of components) types.set(name, lift(types, schema, name));
  return {
    types,
    define: (name, schema) => define(types, name, schema),
    typeOf(schema, name) {
      const component = componentName(schema['$ref']);
      if (component !== undefined) return component;
      if (schema['type'] !== 'string' || schema['enum']) return define(types, name, schema);
      // OpenAPI 3.1, Considerations for Binary Data: what 3.0 calls format: binary.
      const isBytes = schema['contentMediaType'] === 'application/octet-stream';
      return isBytes ? 'Uint8Array' : 'string';
    },
  };
}

type Types = Map<string, JsonSchema>;

function define(types: Types, wanted: string, schema: JsonSchema): string {
  let name = wanted;
  for (let count = 2; types.has(name); count++) name = `${wanted}${count}`;
  types.set(name, {});
  types.set(name, lift(types, schema, name));
  return name;
}

/** A copy of the schema in which each inner object is a reference to a type of its own. */
function lift(types: Types, schema: JsonSchema, name: string): JsonSchema {
  const entries = Object.entries(schema);
  return Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, liftValue(types, name, { keyword, value })]),
  );
}

function liftValue(
  types: Types,
  name: string,
  { keyword, value }: { readonly keyword: string; readonly value: unknown },
): unknown {
  switch (keyword) {
    case 'properties':
      return isObject(value) ? liftProperties(types, value, name) : value;
    case 'items':
      return inner(types, value, singular(name));
    case 'additionalProperties':
      return inner(types, value, `${name}Value`);
    case 'oneOf':
    case 'anyOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value)
        ? value.map((member, index) => inner(types, member, `${name}${index + 1}`))
        : value;
    default:
      return value;
  }
}

function liftProperties(types: Types, properties: Record<string, unknown>, name: string): unknown {
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, inner(types, member, name + pascalCase(key))]),
  );
}

function inner(types: Types, schema: unknown, name: string): unknown {
  if (!isObject(schema)) return schema;
  if (!isObject(schema['properties'])) return lift(types, schema, name);
  const { description, ...rest } = schema;
  const reference = { $ref: componentReference(define(types, name, rest)) };
  return description === undefined ? reference : { ...reference, description };
}

function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}
