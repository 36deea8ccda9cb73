import { isObject, type JsonSchema } from '#contract/json';
import { subschemas, withSubschemas } from '#contract/schema/subschemas';
import { oncePerObject } from './once/once-per-object.ts';
import {
  bytesOf,
  definitionBytes,
  shorterDefinition,
  type TextLengths,
  withTexts,
} from './shorter-texts.ts';

const start = '#/$defs/';

/** Stands in what is cut. How it is read, the schema says once: there are hundreds of such places. */
export const cutMark = 'Cut, see the first description';

/**
 * Keywords by which a value is refused because an inner schema takes it, and where that stands: a
 * looser one takes too much. Those of an `if` go with it.
 */
const opposing = new Map([
  ['not', 'not'],
  ['if', 'if'],
  ['then', 'if'],
  ['else', 'if'],
  ['maxContains', 'contains'],
]);

/** What these forbid hangs on all that stands beside them. */
const unevaluated = new Set(['unevaluatedItems', 'unevaluatedProperties']);

/** A schema, and how many of its definitions are open. */
interface Opened {
  readonly schema: JsonSchema;
  readonly open: number;
}

/** A few words of each definition say more than many of those that then find no room. */
const textLengths = [
  { outer: 250, inner: 80 },
  { outer: 120, inner: 0 },
  { outer: 0, inner: 0 },
];

/**
 * The schema of a tool's arguments with as many of its definitions as there is room for, those nearest
 * to the arguments first. The others stay open, but for the members that they demand: what stands
 * there, the vendor judges. Nothing that the whole schema takes is refused by this one.
 *
 * @returns nothing where even open definitions leave it too large
 */
export function withOpenDefinitions(schema: JsonSchema, mostBytes: number): Opened | undefined {
  const { $defs, ...root } = schema;
  if (!isObject($defs)) return undefined;
  for (const lengths of textLengths) {
    const found = leftOpen(opened(withTexts(root, lengths)), $defs, { lengths, mostBytes });
    if (found) return found;
  }
  return undefined;
}

/** Most definitions are too far away to be looked at: what is said of one is made when it is reached. */
function leftOpen(
  root: Record<string, unknown>,
  definitions: Readonly<Record<string, unknown>>,
  { lengths, mostBytes }: { readonly lengths: TextLengths; readonly mostBytes: number },
): Opened | undefined {
  const kept = new Map<string, unknown>();
  const open = new Map<string, unknown>();
  // With room for a comma and a space.
  const entry = (name: string, value: unknown) =>
    2 + (value === undefined ? 0 : definitionBytes(name, value));
  const outlineAt = (name: string) => {
    const definition = definitions[name];
    return isObject(definition) ? outlineOf(definition, definitions) : {};
  };
  let bytes = bytesOf({ ...root, $defs: {} });
  const queue = new Set<string>();
  const reach = (names: Iterable<string>) => {
    for (const name of names) {
      if (queue.has(name)) continue;
      queue.add(name);
      open.set(name, outlineAt(name));
      bytes += entry(name, open.get(name));
    }
  };
  reach(namesIn(root));
  // A set also visits what is added while it is walked.
  for (const name of queue) {
    const given = definitions[name];
    const { schema: whole, names } = isObject(given)
      ? definitionsWith(lengths)(given)
      : { schema: given, names: namesIn(given) };
    const added = [...names].filter((next) => !queue.has(next));
    const outlines = added.reduce((sum, next) => sum + entry(next, outlineAt(next)), 0);
    const more = entry(name, whole) - entry(name, open.get(name));
    if (bytes + more + outlines > mostBytes) continue;
    bytes += more;
    open.delete(name);
    kept.set(name, whole);
    reach(names);
  }
  if (bytes > mostBytes) return undefined;
  const named = [...queue].toSorted().map((name) => [name, kept.get(name) ?? open.get(name)]);
  return { schema: { ...root, $defs: Object.fromEntries(named) }, open: open.size };
}

/** Definitions that are open where they refer to others, and the names of those. */
const definitionsWith = oncePerObject((lengths: TextLengths) =>
  oncePerObject((definition: JsonSchema) => {
    const schema = opened(shorterDefinition(definition, lengths));
    return { schema, names: namesIn(schema) as ReadonlySet<string> };
  }),
);

function opened(schema: JsonSchema): Record<string, unknown> {
  return loosened(schema, (inner) => namesIn({ ...inner, $defs: {} }).size > 0);
}

/**
 * A schema that takes more where what it holds or refers to takes more: of alternatives, any may fit.
 *
 * @param isLoose whether a schema holds or refers to such a one
 */
export function loosened(
  schema: JsonSchema,
  isLoose: (schema: JsonSchema) => boolean,
): Record<string, unknown> {
  const isLooseAt = (keyword = '') =>
    [schema[keyword]].flat().some((inner) => isObject(inner) && isLoose(inner));
  const isBoth = Array.isArray(schema['oneOf']) && schema['anyOf'] !== undefined;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (isLooseAt(opposing.get(keyword))) return [];
    if (unevaluated.has(keyword) && isLoose(schema)) return [];
    const change = (inner: unknown) => (isObject(inner) ? loosened(inner, isLoose) : inner);
    const inner = withSubschemas(keyword, value, change);
    if (keyword !== 'oneOf' || !isLooseAt(keyword)) return [[keyword, inner]];
    return isBoth ? [] : [['anyOf', inner]];
  });
  return Object.fromEntries(entries);
}

/**
 * What is left of a definition: its type and length, and of what type the members are that it demands, with
 * those that they demand. It is found once: the tools that share a definition share those that it refers to.
 */
function outlineOf(schema: JsonSchema, definitions: Readonly<Record<string, unknown>>): JsonSchema {
  const before = outlines.get(schema);
  if (before !== undefined) return before;
  const { minLength, maxLength } = schema;
  const { type, ...demands } = demandsOf(schema, definitions, mostLevels);
  const outline = {
    ...(type !== undefined && { type }),
    description: cutMark,
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...demands,
  };
  outlines.set(schema, outline);
  return outline;
}

/** So many levels of demands within demands are shown of what is cut. */
const mostLevels = 3;

const outlines = new WeakMap<JsonSchema, JsonSchema>();

/** The type of a schema, or of the definition that it refers to, and the members that it demands. */
function demandsOf(
  schema: unknown,
  definitions: Readonly<Record<string, unknown>>,
  levels: number,
): JsonSchema {
  const meant = isObject(schema) && schema['type'] === undefined ? targetOf(schema) : schema;
  if (!isObject(meant)) return {};
  const { type, required, properties } = meant;
  const demanded =
    levels > 0 && Array.isArray(required) && isObject(properties) ? required.map(String) : [];
  const typed = demanded.map((name) => {
    const own = isObject(properties) ? properties[name] : undefined;
    return [name, demandsOf(own, definitions, levels - 1)];
  });
  return {
    ...(type !== undefined && { type }),
    ...(demanded.length > 0 && { properties: Object.fromEntries(typed), required: demanded }),
  };

  function targetOf({ $ref }: JsonSchema): unknown {
    return typeof $ref === 'string' && $ref.startsWith(start)
      ? definitions[$ref.slice(start.length)]
      : schema;
  }
}

/** The definitions that a schema refers to. */
export function namesIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (!isObject(schema)) return found;
  const { $ref } = schema;
  if (typeof $ref === 'string' && $ref.startsWith(start)) found.add($ref.slice(start.length));
  for (const { schema: inner } of subschemas(schema)) namesIn(inner, found);
  return found;
}

/** How many schemas stand in a schema, itself among them. */
export function schemaCount(schema: unknown): number {
  return subschemas(schema).reduce((sum, { schema: inner }) => sum + schemaCount(inner), 1);
}
