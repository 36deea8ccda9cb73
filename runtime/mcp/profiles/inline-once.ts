import { isObject, type JsonSchema } from '#contract/json';
import { everySubschema, withSubschemas } from '#contract/schema/subschemas';

/** Keywords that say something of a value and ask nothing of it (2020-12 validation, section 9). */
const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * The same schema with each of its `$defs` that is used once in the place where it is used: a name
 * that leads to one place costs those who read it more than it tells. `$ref` leads to nothing but
 * `$defs`; the same object comes back where nothing changes.
 */
export function inlinedOnce(schema: JsonSchema): JsonSchema {
  const { $defs } = schema;
  if (!isObject($defs)) return schema;
  const uses = new Map<string, number>();
  countUses(schema, uses);
  const once = new Map(Object.entries($defs).filter(([name]) => uses.get(name) === 1));
  if (once.size === 0) return schema;
  const taken = new Set<string>();
  // Definitions that nothing leads to may lead to each other in circles.
  const inlined = (part: unknown, within: readonly string[]): unknown => {
    if (!isObject(part)) return part;
    const name = usedBy(part);
    const isOpen = name !== undefined && !within.includes(name);
    const whole = isOpen ? joined(once.get(name), part) : undefined;
    if (!isOpen || whole === undefined) return withParts(part, (inner) => inlined(inner, within));
    taken.add(name);
    return inlined(whole, [...within, name]);
  };
  const { $defs: _, ...root } = schema;
  const changed = withParts(root, (part) => inlined(part, []));
  const kept = new Map<string, unknown>();
  const names = Object.keys($defs);
  for (const name of [...names.filter((each) => !once.has(each)), ...once.keys()]) {
    if (!taken.has(name)) kept.set(name, inlined($defs[name], [name]));
  }
  const left = names.filter((name) => kept.has(name) && !taken.has(name));
  if (left.length === 0) return changed;
  return { ...changed, $defs: Object.fromEntries(left.map((name) => [name, kept.get(name)])) };
}

/** A schema with all of the schemas in it changed. */
function withParts(
  schema: Readonly<Record<string, unknown>>,
  change: (part: unknown) => unknown,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      withSubschemas(keyword, value, change),
    ]),
  );
}

function countUses(schema: unknown, uses: Map<string, number>): void {
  if (!isObject(schema)) return;
  const name = usedBy(schema);
  if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
  everySubschema(schema, (part) => {
    countUses(part, uses);
    return true;
  });
}

function usedBy({ $ref }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof $ref === 'string' ? /^#\/\$defs\/([\w.-]+)$/.exec($ref)?.[1] : undefined;
}

/** A definition with what stands beside its reference; nothing where one text would hide another. */
function joined(
  definition: unknown,
  { $ref: _, ...beside }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(definition)) return undefined;
  const isSafe = Object.entries(beside).every(
    ([keyword, value]) =>
      annotations.has(keyword) && (!(keyword in definition) || definition[keyword] === value),
  );
  return isSafe ? { ...definition, ...beside } : undefined;
}
