import { isObject, type JsonSchema } from '#contract/json';

/** What a schema says of the value at a path: its schema, nothing, or that no such member exists. */
export type SchemaAt =
  | { readonly kind: 'known'; readonly schema: JsonSchema }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'missing'; readonly name: string; readonly known: readonly string[] };

const unknown: SchemaAt = { kind: 'unknown' };
const deepest = 32;

/** Follow a path into a schema, through its own definitions; alternatives say nothing. */
export function schemaAt(root: JsonSchema, path: readonly string[]): SchemaAt {
  let schema = root;
  for (const step of path) {
    const target = resolved(root, schema);
    if (!target) return unknown;
    const { properties, items, additionalProperties } = target;
    if (isObject(properties)) {
      const next = Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
      if (!Object.hasOwn(properties, step) && !isObject(additionalProperties)) {
        return { kind: 'missing', name: step, known: Object.keys(properties) };
      }
      if (!isObject(next)) return unknown;
      schema = next;
    } else if (isObject(items)) {
      if (!/^\d+$/.test(step)) return { kind: 'missing', name: step, known: ['0', '1', '...'] };
      schema = items;
    } else return unknown;
  }
  const target = resolved(root, schema);
  return target ? { kind: 'known', schema: target } : unknown;
}

function resolved(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  let target = schema;
  for (let depth = 0; depth < deepest; depth += 1) {
    const { $ref } = target;
    if ($ref === undefined) return target;
    const [, name = ''] = /^#\/\$defs\/(.+)$/.exec(String($ref)) ?? [];
    const definitions = root['$defs'];
    const next = isObject(definitions) ? definitions[name] : undefined;
    if (!isObject(next)) return undefined;
    target = next;
  }
  return undefined;
}

/** The types that a schema allows besides null; nothing where it does not say. */
export function typesOf({
  type,
  enum: values,
  const: only,
}: JsonSchema): readonly string[] | undefined {
  const listed = only !== undefined ? [only] : values;
  if (type === undefined && Array.isArray(listed)) {
    return [...new Set(listed.map(typeOfValue))].filter((each) => each !== 'null');
  }
  const types = [type].flat().filter((each) => typeof each === 'string' && each !== 'null');
  return types.length > 0 ? (types as string[]) : undefined;
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

/** Whether a value of one of these types can be one of those. */
export function canBe(given: readonly string[], wanted: readonly string[]): boolean {
  return given.some(
    (type) =>
      wanted.includes(type) ||
      (type === 'integer' && wanted.includes('number')) ||
      (type === 'number' && wanted.includes('integer')),
  );
}
