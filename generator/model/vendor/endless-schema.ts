import { isObject, type JsonSchema } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { subschemas } from '#contract/schema/subschemas';
import { oncePerObject } from '../schema/once/once-per-object.ts';

/**
 * Find a definition that says of a value only what it says itself again, such as one that is an
 * alternative of its own alternative: whatever is held against it is asked without end.
 *
 * @returns its name in `$defs`
 */
export function endlessDefinition({ $defs }: JsonSchema): string | undefined {
  if (!isObject($defs)) return undefined;
  const ending = new Set<string>();
  return Object.keys($defs).find((name) => !ending.has(name) && leadsBack(name, $defs, ending));
}

/** Whether a chain of definitions for the same value comes back; those of which none does are added to `ending`. */
function leadsBack(start: string, definitions: JsonSchema, ending: Set<string>): boolean {
  const linkOf = (name: string) => {
    const definition = definitions[name];
    return { name, next: (isObject(definition) ? sameValue(definition) : []).values() };
  };
  const open = new Set([start]);
  const chain = [linkOf(start)];
  for (let link = chain.at(-1); link !== undefined; link = chain.at(-1)) {
    const { done, value } = link.next.next();
    if (done === true) {
      chain.pop();
      open.delete(link.name);
      ending.add(link.name);
    } else if (open.has(value)) {
      return true;
    } else if (!ending.has(value)) {
      open.add(value);
      chain.push(linkOf(value));
    }
  }
  return false;
}

/** Names of the definitions that a value of a schema is held against as a whole. */
const sameValue = oncePerObject((schema: JsonSchema): readonly string[] => {
  const { $ref } = schema;
  const own = typeof $ref === 'string' ? [$ref.replace(/^#\/\$defs\//, '')] : [];
  const inner = subschemas(schema).flatMap(({ keyword, schema: part }) =>
    keywords.get(keyword)?.inPlace && isObject(part) ? sameValue(part) : [],
  );
  return [...own, ...inner];
});
