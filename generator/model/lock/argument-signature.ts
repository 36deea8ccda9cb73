import { isObject, type JsonSchema } from '#contract/json';
import { localTarget } from '#contract/schema/local-reference';
import { keywordHash, schemaHash, words } from '../schema/schema-hash.ts';

/** Members below this level, and behind so many others, are compared by a hash alone. */
const deepest = 4;
const mostSignatures = 1000;

interface Visit {
  readonly path: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly depth: number;
  /** References that led here. */
  readonly within: readonly string[];
}

/**
 * What the arguments of a tool allow, one compact line for each argument and member: enough to
 * tell later whether a change takes anything away. Members are `a/b`, items `a[]`, the values of
 * a map `a{}`, and `` is all arguments together; what holds members comes before them. Names are
 * percent-encoded, so that they hold none of these marks.
 */
export function argumentSignatures(input: JsonSchema): Record<string, string> {
  const signatures: [string, string][] = [];
  const waiting: Visit[] = [{ path: '', schema: input, required: false, depth: 0, within: [] }];
  // A list also visits what is added while it is walked.
  for (const { path, schema: given, required, depth, within } of waiting) {
    const { schema, references } = followed(given, input);
    const line = signatureOf(schema, required, input);
    const inner = { path, depth, within: [...within, ...references] };
    const parts = isObject(schema) ? [...membersOf(schema, inner), ...partsOf(schema, inner)] : [];
    const isRepeated = references.some((reference) => within.includes(reference));
    const isFull = waiting.length >= mostSignatures || depth >= deepest;
    const isCut = isFull && !isRepeated && parts.length > 0;
    signatures.push([path, isCut ? `${line} schema#${schemaHash(schema, input)}` : line]);
    if (!isRepeated && !isFull) waiting.push(...parts);
  }
  return Object.fromEntries(signatures);
}

type Parent = Pick<Visit, 'path' | 'depth' | 'within'>;

function membersOf(schema: JsonSchema, { path, depth, within }: Parent): Visit[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties'] ?? {}).map(([name, member]) => ({
    path: (path === '' ? '' : `${path}/`) + encodeURIComponent(name.toWellFormed()),
    schema: member,
    required: required.includes(name),
    depth: depth + 1,
    within,
  }));
}

function partsOf(schema: JsonSchema, { path, depth, within }: Parent): Visit[] {
  const parts = { '[]': schema['items'], '{}': schema['additionalProperties'] };
  return Object.entries(parts).flatMap(([mark, part]) =>
    isObject(part)
      ? [{ path: path + mark, schema: part, required: false, depth: depth + 1, within }]
      : [],
  );
}

/** What stands behind references, with the keywords beside them (JSON Schema 2020-12, 8.2.3.1). */
function followed(given: unknown, input: JsonSchema) {
  const references: string[] = [];
  let schema = given;
  while (isObject(schema) && typeof schema['$ref'] === 'string') {
    const { $ref, ...beside } = schema;
    if (references.includes($ref)) break;
    references.push($ref);
    const target = localTarget(input, $ref);
    // Where only words stand beside it, it is the same schema for all who refer to it.
    const isMore = isObject(target) && !Object.keys(beside).every((keyword) => words.has(keyword));
    schema = isMore ? { ...target, ...beside } : target;
  }
  return { schema, references };
}

/** Facets that allow less the larger they are, then those that allow less the smaller they are. */
const bounds = {
  minimum: '>=',
  exclusiveMinimum: '>',
  minLength: 'length>=',
  minItems: 'items>=',
  minProperties: 'members>=',
  maximum: '<=',
  exclusiveMaximum: '<',
  maxLength: 'length<=',
  maxItems: 'items<=',
  maxProperties: 'members<=',
};

/** Keywords that a signature says in another way than by a hash. */
const told = new Set([
  ...words,
  ...Object.keys(bounds),
  ...['$ref', '$defs', 'definitions', 'type', 'enum', 'const', 'properties', 'required', 'items'],
  ...['additionalProperties', 'uniqueItems'],
]);

function signatureOf(schema: unknown, isRequired: boolean, input: JsonSchema): string {
  const mark = isRequired ? '!' : '';
  if (!isObject(schema)) return (schema === false ? 'nothing' : 'any') + mark;
  const parts = [typesOf(schema) + mark];
  for (const [keyword, sign] of Object.entries(bounds)) {
    if (typeof schema[keyword] === 'number') parts.push(sign + schema[keyword]);
  }
  if (schema['uniqueItems'] === true) parts.push('unique');
  if (schema['additionalProperties'] === false) parts.push('closed');
  // Of all others only a hash is kept: any change of them may take something away.
  for (const [keyword, value] of Object.entries(schema)) {
    if (told.has(keyword)) continue;
    parts.push(`${encodeURIComponent(keyword)}#${keywordHash(keyword, value, input)}`);
  }
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) parts.push(`in ${JSON.stringify(values)}`);
  return parts.join(' ');
}

function typesOf({ type }: JsonSchema): string {
  const types = [type ?? []].flat().map(String);
  return types.length === 0 ? 'any' : types.join('|');
}
