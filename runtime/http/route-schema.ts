import { isObject, type JsonSchema } from '#contract/json';

/** What a text says in the type that its schema asks for; else the text as it is. */
export function typed(value: unknown, { type, items }: JsonSchema): unknown {
  if (type === 'array') {
    const member = isObject(items) ? items : {};
    return [value].flat().map((item) => typed(item, member));
  }
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) {
    return Number(value);
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** The schema of one property; an empty one where there is none. */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema {
  const properties = schema?.['properties'];
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  return isObject(property) ? property : {};
}

/** A schema, or what its `$ref` leads to among the definitions of `root`. */
export function resolved(schema: JsonSchema, root: JsonSchema | undefined): JsonSchema {
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(String(schema['$ref'])) ?? [];
  const definitions = root?.['$defs'];
  if (name === undefined || !isObject(definitions)) return schema;
  const found = definitions[name];
  return isObject(found) ? found : schema;
}
