import { hash } from 'node:crypto';
import { isObject, type JsonSchema } from '#contract/json';

/** Members below this level, and behind so many others, are compared by the schema's hash alone. */
const deepest = 4;
const mostSignatures = 1000;

interface Visit {
  readonly path: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly depth: number;
  /** Names of the definitions that led here. */
  readonly within: readonly string[];
}

/**
 * What the arguments of a tool allow, one compact line for each argument and member: enough to
 * tell later whether a change takes anything away. Members are `a.b`, items `a[]`, the values of
 * a map `a{}`; arguments come before their members.
 */
export function argumentSignatures(input: JsonSchema): Record<string, string> {
  const definitions = isObject(input['$defs']) ? input['$defs'] : {};
  const signatures: [string, string][] = [];
  const waiting = membersOf(input, { path: '', depth: 0, within: [] });
  // A list also visits what is added while it is walked.
  for (const { path, schema: given, required, depth, within } of waiting) {
    const { schema, references } = followed(given, definitions);
    signatures.push([path, signatureOf(schema, required)]);
    const isRepeated = references.some((name) => within.includes(name));
    const isFull = waiting.length >= mostSignatures || depth >= deepest;
    if (!isObject(schema) || isRepeated || isFull) continue;
    const inner = { path, depth, within: [...within, ...references] };
    waiting.push(...membersOf(schema, { ...inner, path: `${path}.` }), ...partsOf(schema, inner));
  }
  return Object.fromEntries(signatures);
}

type Parent = Pick<Visit, 'path' | 'depth' | 'within'>;

function membersOf(schema: JsonSchema, { path, depth, within }: Parent): Visit[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties'] ?? {}).map(([name, member]) => ({
    path: path + name,
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

function followed(given: unknown, definitions: Readonly<Record<string, unknown>>) {
  const references: string[] = [];
  let schema = given;
  while (isObject(schema) && typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].replace('#/$defs/', '');
    if (references.includes(name)) break;
    references.push(name);
    schema = definitions[name];
  }
  return { schema, references };
}

/** Facets that allow less the larger they are, and those that allow less the smaller they are. */
const lowerBounds = {
  minimum: '>=',
  exclusiveMinimum: '>',
  minLength: 'length>=',
  minItems: 'items>=',
  minProperties: 'members>=',
};
const upperBounds = {
  maximum: '<=',
  exclusiveMaximum: '<',
  maxLength: 'length<=',
  maxItems: 'items<=',
  maxProperties: 'members<=',
};

/** Keywords of which only the hash is kept: any change of them may take something away. */
const opaque = [
  'pattern',
  'format',
  'multipleOf',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'prefixItems',
  'patternProperties',
];

function signatureOf(schema: unknown, isRequired: boolean): string {
  if (!isObject(schema)) return isRequired ? 'any!' : 'any';
  const parts = [typesOf(schema) + (isRequired ? '!' : '')];
  for (const [keyword, mark] of Object.entries({ ...lowerBounds, ...upperBounds })) {
    if (typeof schema[keyword] === 'number') parts.push(mark + schema[keyword]);
  }
  if (schema['uniqueItems'] === true) parts.push('unique');
  if (schema['additionalProperties'] === false) parts.push('closed');
  for (const keyword of opaque) {
    if (schema[keyword] !== undefined)
      parts.push(`${keyword}#${shortHash(wordless(schema[keyword]))}`);
  }
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) parts.push(`in ${JSON.stringify(values)}`);
  return parts.join(' ');
}

function typesOf({ type }: JsonSchema): string {
  const types = [type ?? []].flat().map(String);
  return types.length === 0 ? 'any' : types.join('|');
}

/** The same schema without what only describes it. */
function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([keyword]) => !['description', 'default', 'examples'].includes(keyword),
  );
  return Object.fromEntries(entries.map(([keyword, member]) => [keyword, wordless(member)]));
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 8);
}

/** What a change of a signature does to callers, in words. */
export interface SignatureChange {
  readonly narrowed: string[];
  readonly widened: string[];
}

/** Compare what an argument allowed with what it allows now. */
export function compareSignatures(before: string, after: string): SignatureChange {
  const [old, now] = [parse(before), parse(after)];
  const change: SignatureChange = { narrowed: [], widened: [] };
  if (now.required && !old.required) change.narrowed.push('is required now');
  if (old.required && !now.required) change.widened.push('may be left out now');
  const [gone, added] = [lost(old.types, now.types), lost(now.types, old.types)];
  if (gone.length > 0) change.narrowed.push(`no longer takes ${gone.join(', ')}`);
  if (added.length > 0) change.widened.push(`takes ${added.join(', ')} too`);
  compareValues(old.values, now.values, change);
  for (const mark of new Set([...old.facets.keys(), ...now.facets.keys()])) {
    compareFacet(mark, [old.facets.get(mark), now.facets.get(mark)], change);
  }
  return change;
}

interface Parsed {
  readonly required: boolean;
  readonly types: readonly string[];
  readonly facets: ReadonlyMap<string, string>;
  readonly values?: readonly unknown[];
}

function parse(signature: string): Parsed {
  const [, head = '', listed] = /^(.*?)(?: in (\[.*\]))?$/s.exec(signature) ?? [];
  const [type = '', ...facets] = head.split(' ');
  const values: unknown = listed === undefined ? undefined : JSON.parse(listed);
  return {
    required: type.endsWith('!'),
    types: type.replace('!', '').split('|'),
    facets: new Map(
      facets.map((facet) => {
        const [, mark = facet, value = ''] = /^(.*?(?:[<>]=?|#))(.*)$/.exec(facet) ?? [];
        return [mark, value];
      }),
    ),
    ...(Array.isArray(values) && { values }),
  };
}

/** The types of `from` that `to` does not take; a number is any integer, anything is all. */
function lost(from: readonly string[], to: readonly string[]): string[] {
  if (to.includes('any')) return [];
  return from.filter(
    (type) => !to.includes(type) && !(type === 'integer' && to.includes('number')),
  );
}

function compareValues(
  old: Parsed['values'],
  now: Parsed['values'],
  { narrowed, widened }: SignatureChange,
): void {
  if (old === undefined && now === undefined) return;
  if (old === undefined) narrowed.push('takes only listed values now');
  else if (now === undefined) widened.push('takes any value now');
  else {
    const texts = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));
    const [before, after] = [texts(old), texts(now)];
    const gone = before.filter((value) => !after.includes(value));
    const added = after.filter((value) => !before.includes(value));
    if (gone.length > 0) narrowed.push(`no longer takes ${gone.join(', ')}`);
    if (added.length > 0) widened.push(`takes ${added.join(', ')} too`);
  }
}

function compareFacet(
  mark: string,
  [old, now]: readonly [string | undefined, string | undefined],
  { narrowed, widened }: SignatureChange,
): void {
  if (old === now) return;
  const isOpaque = mark.endsWith('#');
  const named = (value: string | undefined) => (isOpaque ? mark.slice(0, -1) : mark + value);
  if (now === undefined) widened.push(`is no longer limited by ${named(old)}`);
  else if (old === undefined) narrowed.push(`is limited by ${named(now)} now`);
  else if (isOpaque) narrowed.push(`has another ${named(now)}`);
  else {
    const isTighter = mark.includes('>') ? Number(now) > Number(old) : Number(now) < Number(old);
    (isTighter ? narrowed : widened).push(`allows ${mark}${now}, not ${mark}${old}`);
  }
}
