import { isObject } from '#contract/json';
import { flatSchema, type Node, typeOf } from './flat-schema.ts';
import { sampleNumber, sampleText } from './sample-scalar.ts';
import type { Solver } from './solver.ts';

/** How much of a schema a value shows: what it must have, all that it can have, its limits. */
export type Extent = 'required' | 'all' | 'edges';

/** What is decided once for one value. */
export interface Sampling {
  /** Holds the `$defs`. */
  readonly root: Node;
  readonly extent: Extent;
  /** Which alternative of unions is taken; higher ones after those before did not fit. */
  readonly attempt: number;
  /** Makes texts differ from each other. */
  count: number;
  /** Finds out what each choice inside of the value takes, where plain samples did not fit. */
  readonly solver?: Solver;
}

/** Objects below this depth show their required properties only. */
const fullDepth = 3;
const deepest = 12;
/** Below this depth nothing ends that has to hold itself. */
const endless = 60;
const mostItems = 10;
/** Of one choice so many alternatives are tried. */
const mostTurns = 24;

/**
 * Make a value that a schema accepts, as far as it can be seen from its keywords; with a solver, the
 * choices inside of it are made one by one.
 */
export function sampleValue(schema: unknown, sampling: Sampling, depth = 0): unknown {
  const { solver } = sampling;
  const first = sampleOnce(schema, sampling, depth);
  const accepts = solver?.check(schema);
  if (!solver || !accepts || accepts(first) === undefined) return first;
  for (let attempt = 1; attempt < mostTurns && solver.turns-- > 0; attempt++) {
    const value = sampleOnce(schema, { ...sampling, attempt }, depth);
    if (accepts(value) === undefined) return value;
  }
  return first;
}

function sampleOnce(schema: unknown, sampling: Sampling, depth: number): unknown {
  if (depth > endless) return {};
  // One alternative taken at each depth may hold itself for ever: deep ones take turns.
  const turn = sampling.attempt + Math.max(0, depth - deepest);
  const node = flatSchema(sampling.root, schema, turn);
  if (node['const'] !== undefined) return node['const'];
  const choices = node['enum'];
  if (Array.isArray(choices) && choices.length > 0) return chosen(choices, sampling);
  switch (typeOf(node)) {
    case 'object':
      return sampleObject(node, sampling, depth);
    case 'array':
      return sampleArray(node, sampling, depth);
    case 'integer':
      return sampleNumber(node, sampling, true);
    case 'number':
      return sampleNumber(node, sampling, false);
    case 'boolean':
      return sampling.extent !== 'edges';
    case 'null':
      return null;
    default:
      return sampleText(node, sampling);
  }
}

function chosen(choices: readonly unknown[], { extent, attempt }: Sampling): unknown {
  const values = choices.filter((choice) => choice !== null);
  if (values.length === 0) return null;
  const index = attempt + (extent === 'edges' ? values.length - 1 : 0);
  return values[index % values.length];
}

function sampleObject(node: Node, sampling: Sampling, depth: number): Record<string, unknown> {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const required: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const names = [
    ...required.map(String),
    ...(depth < fullDepth ? optional.filter((_, index) => isShown(index, sampling)) : []),
  ];
  const entries = names.flatMap((name) => {
    const schema = properties[name] ?? node['additionalProperties'] ?? {};
    if (schema === false || (depth >= deepest && !required.includes(name))) return [];
    return [[name, sampleValue(schema, sampling, depth + 1)] as const];
  });
  const { additionalProperties: others, minProperties: least } = node;
  if (entries.length < (typeof least === 'number' ? least : 0) && others !== false) {
    entries.push(['key', sampleValue(others ?? {}, sampling, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function isShown(index: number, { extent, attempt }: Sampling): boolean {
  if (extent === 'required') return false;
  if (extent === 'all') return attempt < 6;
  return attempt < 6 && index % 2 === 0;
}

function sampleArray(node: Node, sampling: Sampling, depth: number): unknown[] {
  const { items, prefixItems, minItems, maxItems, uniqueItems } = node;
  const least = typeof minItems === 'number' ? minItems : 0;
  const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY;
  const wanted = { required: least, all: Math.max(1, least), edges: Math.max(2, least) };
  const count = depth > deepest ? least : Math.min(wanted[sampling.extent], most, mostItems);
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  const values: unknown[] = [];
  const isDistinct = uniqueItems === true;
  for (let index = 0; values.length < count && index < count + mostItems; index++) {
    const schema = index < prefix.length ? prefix[index] : (items ?? {});
    if (schema === false) break;
    const turn = { ...sampling, attempt: sampling.attempt + index, count: sampling.count + index };
    const value = sampleValue(schema, turn, depth + 1);
    const isKnown = values.some((other) => JSON.stringify(other) === JSON.stringify(value));
    if (!isKnown || !isDistinct) values.push(value);
  }
  sampling.count += count;
  return values;
}
