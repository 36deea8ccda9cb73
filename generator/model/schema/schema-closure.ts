import { isObject, type JsonSchema } from '#contract/json';
import { withSubschemas } from '#contract/schema/subschemas';

const componentPrefix = '#/components/schemas/';

/** The name of the component that a `$ref` leads to. */
export function componentName(reference: unknown): string | undefined {
  return typeof reference === 'string' && reference.startsWith(componentPrefix)
    ? reference.slice(componentPrefix.length)
    : undefined;
}

/** The `$ref` to a component. */
export function componentReference(name: string): string {
  return componentPrefix + name;
}

/**
 * Make a schema that stands alone: its references to components become references into `$defs`,
 * which holds exactly those that it needs, in the order in which it needs them.
 */
export function closeSchema(
  schema: JsonSchema,
  components: ReadonlyMap<string, JsonSchema>,
): JsonSchema {
  const needed: string[] = [];
  const closed = redirect(schema, needed);
  const own = isObject(closed['$defs']) ? closed['$defs'] : {};
  const definitions: Record<string, unknown> = {};
  // The list grows while it is walked: a definition may need further ones.
  for (const name of needed) definitions[name] = redirect(components.get(name) ?? {}, needed);
  if (needed.length === 0) return closed;
  return { ...closed, $defs: { ...own, ...definitions } };
}

function redirect(schema: JsonSchema, needed: string[]): JsonSchema {
  const change = (inner: unknown) => (isObject(inner) ? redirect(inner, needed) : inner);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const name = keyword === '$ref' ? componentName(value) : undefined;
      if (name === undefined) return [keyword, withSubschemas(keyword, value, change)];
      if (!needed.includes(name)) needed.push(name);
      return [keyword, `#/$defs/${name}`];
    }),
  );
}
