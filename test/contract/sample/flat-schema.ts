import { isObject } from '#contract/json';

export type Node = Readonly<Record<string, unknown>>;

const deepest = 50;

/**
 * A schema without `$ref`, `allOf`, `anyOf` and `oneOf`: references are followed, parts joined, and of
 * alternatives one is taken, by number.
 */
export function flatSchema(root: Node, schema: unknown, alternative: number, depth = 0): Node {
  if (!isObject(schema) || depth > deepest) return {};
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  let node: Node = own;
  const join = (other: unknown) => {
    node = joined(node, flatSchema(root, other, alternative, depth + 1));
  };
  if (typeof $ref === 'string') join(referred(root, $ref));
  for (const part of Array.isArray(allOf) ? allOf : []) join(part);
  for (const choices of [oneOf, anyOf]) {
    if (!Array.isArray(choices) || choices.length === 0) continue;
    const real = choices.filter((choice) => !isObject(choice) || choice['type'] !== 'null');
    const from = real.length > 0 ? real : choices;
    join(from[alternative % from.length]);
  }
  return node;
}

function referred(root: Node, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(node) ? node[name] : undefined;
  }, root);
}

/** What satisfies both, for the keywords that a sample looks at. */
function joined(one: Node, other: Node): Node {
  const result: Record<string, unknown> = { ...other, ...one };
  const [first, second] = [one['properties'], other['properties']];
  if (isObject(first) && isObject(second)) {
    const names = new Set([...Object.keys(first), ...Object.keys(second)]);
    result['properties'] = Object.fromEntries(
      Array.from(names, (name) => [name, both(first[name], second[name])]),
    );
  }
  if (isObject(one['items']) && isObject(other['items'])) {
    result['items'] = { allOf: [one['items'], other['items']] };
  }
  const required = [one['required'], other['required']].flatMap((names) =>
    Array.isArray(names) ? names : [],
  );
  if (required.length > 0) result['required'] = [...new Set(required)];
  const [choices, others] = [one['enum'], other['enum']];
  if (Array.isArray(choices) && Array.isArray(others)) {
    result['enum'] = choices.filter((choice) => others.includes(choice));
  }
  const texts = [one['description'], other['description']].filter((each) => each !== undefined);
  if (texts.length > 1) result['description'] = texts.join('\n');
  const [types, otherTypes] = [one['type'], other['type']];
  if (Array.isArray(types) && otherTypes !== undefined) result['type'] = otherTypes;
  for (const [keyword, pick] of [
    ['minimum', Math.max],
    ['maximum', Math.min],
    ['minLength', Math.max],
    ['maxLength', Math.min],
  ] as const) {
    const [a, b] = [one[keyword], other[keyword]];
    if (typeof a === 'number' && typeof b === 'number') result[keyword] = pick(a, b);
  }
  return result;
}

/** A member of two objects at once; what one of them forbids is none. */
function both(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  return one === false || other === false ? false : { allOf: [one, other] };
}

/** The first type that is not null, guessed from the keywords where none is named. */
export function typeOf(node: Node): string {
  const { type } = node;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null');
  if (isObject(node['properties']) || isObject(node['additionalProperties'])) return 'object';
  if (Array.isArray(node['required']) || 'minProperties' in node) return 'object';
  if (isObject(node['items']) || Array.isArray(node['prefixItems'])) return 'array';
  return 'minimum' in node || 'maximum' in node ? 'number' : 'string';
}
