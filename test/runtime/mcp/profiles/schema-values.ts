import fc from 'fast-check';
import { isObject, type JsonSchema } from '#contract/json';

const deepest = 7;
const formats: Readonly<Record<string, string>> = {
  date: '2026-07-28',
  'date-time': '2026-07-28T12:00:00Z',
  email: 'a@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

type Values = fc.Arbitrary<unknown>;

/**
 * Values that satisfy most of a schema: it is for the caller to leave out those that do not. Small,
 * and without the keywords that the schemas in these tests do not use.
 */
export function valuesOf(root: JsonSchema): Values {
  return values(root, root, 0);
}

function values(schema: unknown, root: JsonSchema, depth: number): Values {
  if (!isObject(schema)) return fc.jsonValue({ maxDepth: 2 });
  const within = (part: unknown) => values(part, root, depth + 1);
  const { $ref, enum: listed, anyOf, oneOf, allOf, ...own } = schema;
  if ('const' in own) return fc.constant(own['const']);
  if (Array.isArray(listed)) return fc.constantFrom(...listed);
  const parts: Values[] = [];
  if ($ref !== undefined)
    parts.push(depth > deepest ? fc.constant({}) : within(target(root, String($ref))));
  for (const members of [anyOf, oneOf]) {
    if (Array.isArray(members))
      parts.push(fc.oneof(...members.map((each) => within(joined(own, each)))));
  }
  if (Array.isArray(allOf)) parts.push(...allOf.map(within));
  if (parts.length === 0) return plain(own, within, depth);
  if (own['properties'] !== undefined) parts.push(plain(own, within, depth));
  return fc
    .tuple(...parts)
    .map((all) => (all.every(isObject) ? Object.assign({}, ...all) : all[0]));
}

/** Members without a type of their own have that of what they stand in. */
function joined(own: Record<string, unknown>, member: unknown): unknown {
  if (!isObject(member) || member['$ref'] !== undefined || own['type'] === undefined) return member;
  return { type: own['type'], ...member };
}

function target(root: JsonSchema, reference: string): unknown {
  if (reference === '#') return root;
  let current: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    current = (current as Record<string, unknown>)?.[
      step.replaceAll('~1', '/').replaceAll('~0', '~')
    ];
  }
  return current;
}

function plain(
  schema: Record<string, unknown>,
  within: (part: unknown) => Values,
  depth: number,
): Values {
  const { type } = schema;
  const types: unknown[] =
    type === undefined ? [isObject(schema['properties']) ? 'object' : 'any'] : [type].flat();
  return fc.oneof(...types.map((each) => typed(each, schema, within, depth)));
}

function typed(
  type: unknown,
  schema: Record<string, unknown>,
  within: (part: unknown) => Values,
  depth: number,
): Values {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer');
    case 'string':
      return strings(schema);
    case 'array':
      return arrays(schema, within, depth);
    case 'object':
      return objects(schema, within, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function numbers(
  { minimum = -1000, maximum = 1000 }: Record<string, unknown>,
  whole: boolean,
): Values {
  const [min, max] = [Number(minimum), Number(maximum)];
  const [low, high] = [Math.min(min, max), Math.max(min, max)];
  return whole
    ? fc.integer({ min: Math.ceil(low), max: Math.floor(high) })
    : fc.double({ min: low, max: high, noNaN: true }).map((value) => value + 0);
}

function strings({ minLength = 0, maxLength, pattern, format }: Record<string, unknown>): Values {
  if (typeof format === 'string' && formats[format]) return fc.constant(formats[format]);
  if (typeof pattern === 'string') {
    const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= most);
  }
  const least = Number(minLength);
  const most = Math.min(Number(maxLength ?? least + 12), least + 12);
  const odd = fc.constantFrom('null', '{}', '[1]', '"a"', '{"explicit_null":true}', 'true', '5');
  const free = fc.string({ minLength: least, maxLength: most });
  return least > 2 ? free : fc.oneof({ weight: 4, arbitrary: free }, { weight: 1, arbitrary: odd });
}

function arrays(
  { items, prefixItems, minItems = 0, maxItems = 3 }: Record<string, unknown>,
  within: (part: unknown) => Values,
  depth: number,
): Values {
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(within));
  const most = depth > deepest ? 0 : Math.min(Number(maxItems), 3);
  const least = Number(minItems);
  return fc.array(within(items ?? {}), { minLength: least, maxLength: Math.max(least, most) });
}

/** Objects of which too many members were made lose some that are not required. */
function objects(
  schema: Record<string, unknown>,
  within: (part: unknown) => Values,
  depth: number,
): Values {
  const { required, maxProperties } = schema;
  const made = members(schema, within, depth);
  if (maxProperties === undefined) return made;
  const needed = new Set(Array.isArray(required) ? required : []);
  return made.map((value) => {
    const entries = Object.entries(value as object);
    const order = entries.toSorted(([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)));
    return Object.fromEntries(order.slice(0, Number(maxProperties)));
  });
}

function members(
  {
    properties,
    required,
    additionalProperties,
    patternProperties,
    minProperties = 0,
  }: Record<string, unknown>,
  within: (part: unknown) => Values,
  depth: number,
): Values {
  const known = isObject(properties) ? Object.entries(properties) : [];
  const needed = new Set(Array.isArray(required) ? required : []);
  const some = known.filter(
    ([name, part]) => part !== false && (depth <= deepest || needed.has(name)),
  );
  const optional = some.flatMap(([name]) => (needed.has(name) ? [] : [name]));
  const least = Math.min(Number(minProperties), optional.length);
  // A few at a time: each value is one more that has to be right.
  const chosen = fc.subarray(optional, {
    minLength: least,
    maxLength: Math.min(4, optional.length),
  });
  // Made with the first value that has them, and once: a pattern is read anew each time.
  const made = new Map<string, Values>();
  const valuesFor = (name: string, part: unknown) => {
    const values = made.get(name) ?? within(part);
    made.set(name, values);
    return values;
  };
  const listed = chosen.chain((names) => {
    const parts = some.filter(([name]) => needed.has(name) || names.includes(name));
    return fc.record(
      Object.fromEntries(parts.map(([name, part]) => [name, valuesFor(name, part)])),
    );
  });
  if (additionalProperties === false && !patternProperties) return listed;
  const pattern = isObject(patternProperties) ? Object.entries(patternProperties)[0] : undefined;
  const key = pattern
    ? fc.stringMatching(new RegExp(pattern[0]))
    : fc.constantFrom('k1', 'k-2', '__proto__', 'constructor');
  const value = pattern ? within(pattern[1]) : within(additionalProperties ?? {});
  const more = fc.dictionary(key, value, { maxKeys: depth > deepest ? 0 : 3 });
  const extra = fc
    .tuple(listed, more)
    .map(([a, b]) => Object.fromEntries([...Object.entries(b), ...Object.entries(a)]));
  return depth > deepest ? listed : fc.oneof(listed, extra);
}
