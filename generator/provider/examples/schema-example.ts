import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from './merged-schema.ts';
import { scalarExample } from './scalar-example.ts';

/** Objects below this depth show their required properties only. */
const fullDepth = 2;
const deepest = 8;
/** So that one operation with hundreds of fields does not make a fixture that nobody reads. */
const mostProperties = 40;

type Node = Readonly<Record<string, unknown>>;

/** The same with as few members as the schema takes: its required ones, those of its objects too. */
export function requiredExample(document: ApiDocument, schema: unknown): unknown {
  return schemaExample(document, schema, fullDepth);
}

/** Make a value that a schema accepts, from its own examples where it has them. */
export function schemaExample(document: ApiDocument, schema: unknown, depth = 0): unknown {
  const node = mergedSchema(document, schema);
  const given = givenExample(node);
  if (given !== undefined) return given;
  if (depth > deepest) return {};
  for (const keyword of ['oneOf', 'anyOf']) {
    const choices = node[keyword];
    if (!Array.isArray(choices) || choices.length === 0) continue;
    // One that takes everything says nothing: then the rest of the schema decides.
    if (choices.some(takesAll)) continue;
    const chosen = choices.find((choice) => !isNull(document, choice)) ?? choices[0];
    const example = schemaExample(document, chosen, depth + 1);
    const own = isObject(node['properties']) ? objectExample(document, node, depth) : {};
    return isObject(example) ? { ...own, ...example } : example;
  }
  const type = typeOf(node);
  if (type === 'object') return objectExample(document, node, depth);
  if (type === 'array') return arrayExample(document, node, depth);
  return scalarExample(type, node);
}

function givenExample(node: Node): unknown {
  if (node['const'] !== undefined) return node['const'];
  const { examples, example, default: fallback } = node;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (example !== undefined) return example;
  if (fallback !== undefined && fallback !== null) return fallback;
  const choices = node['enum'];
  return Array.isArray(choices) ? choices.find((choice) => choice !== null) : undefined;
}

/** The first type that is not null, guessed from the keywords where none is named. */
function typeOf(node: Node): string {
  const { type } = node;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null');
  if (isObject(node['properties']) || isObject(node['additionalProperties'])) return 'object';
  return isObject(node['items']) ? 'array' : 'any';
}

function takesAll(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function isNull(document: ApiDocument, schema: unknown): boolean {
  return mergedSchema(document, schema)['type'] === 'null';
}

function objectExample(document: ApiDocument, node: Node, depth: number): Record<string, unknown> {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const required: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const names = [
    ...required.map(String),
    ...(depth < fullDepth ? optional.slice(0, mostProperties) : []),
  ];
  const example: Record<string, unknown> = {};
  for (const name of new Set(names)) {
    example[name] = schemaExample(document, properties[name] ?? {}, depth + 1);
  }
  return example;
}

function arrayExample(document: ApiDocument, node: Node, depth: number): unknown[] {
  const { items, prefixItems, minItems, maxItems } = node;
  if (maxItems === 0) return [];
  const prefix = Array.isArray(prefixItems) ? prefixItems : [];
  const first = prefix.map((item) => schemaExample(document, item, depth + 1));
  if (items === undefined || items === false) return first;
  const wanted = Math.max(1, typeof minItems === 'number' ? Math.min(minItems, 10) : 1);
  while (first.length < wanted) first.push(schemaExample(document, items, depth + 1));
  return first;
}
