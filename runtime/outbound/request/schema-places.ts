import { isObject, type JsonSchema } from '#contract/json';
import { localTarget } from '#contract/schema/local-reference';
import { compilePattern } from '#contract/schema/pattern';

export type Node = Readonly<Record<string, unknown>>;

/** The schemas that hold for one value: what they refer to, and their alternatives. */
export function nodesOf(root: JsonSchema, schemas: readonly unknown[]): readonly Node[] {
  const nodes = new Set<Node>();
  const queue = [...schemas];
  for (const schema of queue) {
    if (!isObject(schema) || nodes.has(schema)) continue;
    nodes.add(schema);
    if (schema['$ref'] !== undefined) queue.push(localTarget(root, schema['$ref']));
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'then', 'else']) {
      queue.push(...[schema[keyword] ?? []].flat());
    }
  }
  return [...nodes];
}

/** The schemas that hold for a place within a value of a schema, by names and positions. */
export function nodesAt(root: JsonSchema, steps: readonly (string | number)[]): readonly Node[] {
  return steps.reduce(
    (nodes: readonly Node[], step) => {
      const inner =
        typeof step === 'number' ? itemSchemas(nodes, step) : memberSchemas(nodes, step);
      return nodesOf(root, inner);
    },
    nodesOf(root, [root]),
  );
}

/** Whether a schema says of what type its values are, and leaves that to no other. */
export function saysAll({ $ref, type, allOf, anyOf, oneOf }: Node): boolean {
  return type !== undefined || [$ref, allOf, anyOf, oneOf].every((each) => each === undefined);
}

export function memberSchemas(nodes: readonly Node[], name: string): readonly unknown[] {
  return nodes.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    const named = patterns.filter(([pattern]) => compilePattern(pattern).test(name));
    const told = [...own, ...named.map(([, schema]) => schema)];
    return told.length > 0 ? told : [additionalProperties].filter(isObject);
  });
}

export function itemSchemas(nodes: readonly Node[], index: number): readonly unknown[] {
  return nodes.flatMap(({ prefixItems, items }) => {
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return index < first.length ? [first[index]] : [items].filter(isObject);
  });
}
