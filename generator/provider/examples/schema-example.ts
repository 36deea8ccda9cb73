import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema, takesNothing } from './merged-schema.ts';
import { scalarExample } from './scalar-example.ts';

/** Objects below this depth show their required properties only. */
const fullDepth = 2;
const deepest = 8;
/** So that one operation with hundreds of fields does not make a fixture that nobody reads. */
const mostProperties = 40;
/** Alternatives may contain themselves. */
const mostTurns = 8;

type Node = Readonly<Record<string, unknown>>;

/** How an example is made. */
interface Making {
  /** How deep in the value it stands. */
  readonly depth: number;
  /** Alternatives that were chosen for this very value, one inside of the other. */
  readonly turns: number;
  /** Which of the alternatives at the root is the first that is tried. */
  readonly preferred: number;
}

/**
 * The same with as few members as the schema takes: its required ones, those of its objects too.
 * `preferred` says with which of the alternatives at its root.
 */
export function requiredExample(document: ApiDocument, schema: unknown, preferred = 0): unknown {
  return makeExample(document, schema, { depth: fullDepth, turns: 0, preferred });
}

/**
 * Make a value that a schema accepts, from its own examples where it has them; `preferred` says with
 * which of the alternatives at its root.
 */
export function schemaExample(document: ApiDocument, schema: unknown, preferred = 0): unknown {
  return makeExample(document, schema, { depth: 0, turns: 0, preferred });
}

function makeExample(document: ApiDocument, schema: unknown, making: Making): unknown {
  const node = mergedSchema(document, schema);
  const given = givenExample(node);
  if (given !== undefined) return given;
  const { depth, turns } = making;
  // What holds nothing else ends by itself, however deep it stands.
  if (depth > deepest) return scalarOf(node) ?? {};
  const chosen =
    turns < mostTurns
      ? (withCondition(document, node) ?? chooseOne(document, node, making.preferred))
      : undefined;
  if (chosen) return makeExample(document, chosen, { ...making, turns: turns + 1 });
  const type = typeOf(node);
  if (type === 'object') return objectExample(document, node, depth);
  if (type === 'array') return arrayExample(document, node, depth);
  return scalarExample(type, node);
}

/** The schema with its condition and what follows from that in it (JSON Schema 2020-12 core, 10.2.2). */
function withCondition(document: ApiDocument, node: Node): Node | undefined {
  const { if: condition, then: follows = true, else: otherwise = true, ...around } = node;
  if (condition === undefined) return undefined;
  const met = mergedSchema(document, { allOf: [around, condition, follows] });
  return isPossible(document, met) ? met : mergedSchema(document, { allOf: [around, otherwise] });
}

/** The schema with one of its alternatives in it: what stands around them holds as well. */
function chooseOne(document: ApiDocument, node: Node, preferred: number): Node | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const { [keyword]: choices, ...around } = node;
    if (!Array.isArray(choices) || choices.length === 0) continue;
    // One that takes everything says nothing: then the rest of the schema decides.
    if (choices.some(takesAll)) return around;
    const start = preferred % choices.length;
    const ordered = [...choices.slice(start), ...choices.slice(0, start)];
    const possible = ordered
      .map((choice) => mergedSchema(document, { allOf: [around, choice] }))
      .filter((merged) => isPossible(document, merged));
    const chosen = possible.find(({ type }) => type !== 'null') ?? possible[0];
    if (chosen && keyword === 'oneOf') return fraction(chosen, possible) ?? chosen;
    if (chosen) return chosen;
  }
  return undefined;
}

/** A whole number is of both, where `oneOf` has integers and numbers: only a fraction is of one. */
function fraction(chosen: Node, possible: readonly Node[]): Node | undefined {
  const isOf = (wanted: string) =>
    possible.find(({ type }) => type === wanted || (Array.isArray(type) && type.includes(wanted)));
  const number = isOf('number');
  const isNumeric = chosen === number || chosen === isOf('integer');
  if (!number || !isOf('integer') || !isNumeric || givenExample(chosen) !== undefined)
    return undefined;
  const { minimum, maximum } = number;
  const least = typeof minimum === 'number' ? minimum : 0;
  const value = Math.floor(least) + 1.5;
  return typeof maximum === 'number' && value > maximum
    ? undefined
    : { ...number, examples: [value] };
}

/** Whether nothing that a schema asks for is ruled out by the schema itself. */
function isPossible(document: ApiDocument, node: Node): boolean {
  if (takesNothing(node)) return false;
  const { properties, required } = node;
  if (!isObject(properties) || !Array.isArray(required)) return true;
  return required.every((name) => !takesNothing(mergedSchema(document, properties[name])));
}

function givenExample(node: Node): unknown {
  if (node['const'] !== undefined) return node['const'];
  const { examples, example, default: fallback } = node;
  const choices = Array.isArray(node['enum']) ? node['enum'] : undefined;
  const isListed = (value: unknown) =>
    choices?.some((choice) => isDeepStrictEqual(choice, value)) ?? true;
  const shown = Array.isArray(examples) && examples.length > 0 ? examples[0] : example;
  if (shown !== undefined && isListed(shown)) return shown;
  if (fallback !== undefined && fallback !== null && isListed(fallback)) return fallback;
  return choices?.find((choice) => choice !== null);
}

/** The first type that is not null, guessed from the keywords where none is named. */
function typeOf(node: Node): string {
  const { type } = node;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null');
  if (isObject(node['properties']) || isObject(node['additionalProperties'])) return 'object';
  return isObject(node['items']) ? 'array' : 'any';
}

function scalarOf(node: Node): unknown {
  const type = typeOf(node);
  return ['boolean', 'integer', 'number', 'string'].includes(type)
    ? scalarExample(type, node)
    : undefined;
}

function takesAll(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function inner(document: ApiDocument, schema: unknown, depth: number): unknown {
  return makeExample(document, schema, { depth: depth + 1, turns: 0, preferred: 0 });
}

function objectExample(document: ApiDocument, node: Node, depth: number): Record<string, unknown> {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const required: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const { minProperties, additionalProperties: others = {} } = node;
  const least = typeof minProperties === 'number' ? Math.min(minProperties, mostProperties) : 0;
  const more = depth < fullDepth ? mostProperties : Math.max(0, least - required.length);
  const names = [...required.map(String), ...optional.slice(0, more)];
  const example: Record<string, unknown> = {};
  for (const name of new Set(names)) {
    const schema = mergedSchema(document, properties[name] ?? {});
    if (!takesNothing(schema)) example[name] = inner(document, schema, depth);
  }
  const lacking = others === false ? 0 : least - Object.keys(example).length;
  for (let count = 1; count <= lacking; count++) {
    example[`key_${count}`] = inner(document, others, depth);
  }
  return example;
}

function arrayExample(document: ApiDocument, node: Node, depth: number): unknown[] {
  const { items, prefixItems, minItems, maxItems } = node;
  if (maxItems === 0) return [];
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  const first = prefix.map((item) => inner(document, item, depth));
  if (items === undefined || items === false) return first;
  const wanted = Math.max(1, typeof minItems === 'number' ? Math.min(minItems, 10) : 1);
  while (first.length < wanted) first.push(inner(document, items, depth));
  return first;
}
