import { isObject, type JsonSchema } from '../json.ts';
import { didYouMean } from '../nearest-name.ts';
import { shortList } from '../text/short-list.ts';
import { keywords } from './keywords.ts';
import { localTarget } from './local-reference.ts';
import { compilePattern } from './pattern.ts';
import { decodedSteps, encodedStep } from './pointer-steps.ts';
import { subschemasAt } from './subschemas.ts';

/** A schema, and the pointer to it in the whole one that it is part of. */
export interface PlacedSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/** Levels that a place may be deep: each looks at all that may stand there. */
const mostLevels = 64;

/**
 * The schemas that hold for a place inside of a value: `/filter/0/name` (RFC 6901). References are
 * followed, and all alternatives looked at.
 *
 * @returns a sentence that says what was expected where there is no such place
 */
export function schemasAtPlace(root: JsonSchema, place: string): readonly PlacedSchema[] | string {
  let found: readonly PlacedSchema[] = [{ schema: root, pointer: '#' }];
  let passed = '';
  const steps = decodedSteps(place);
  if (steps.length > mostLevels) {
    return `a place may be ${mostLevels} levels deep, but ${steps.length} were given: what comes back to itself has a name in #/$defs`;
  }
  for (const step of steps) {
    const around = withAlternatives(found, root);
    found = unique(around.flatMap((each) => membersAt(each, step)));
    if (found.length === 0) return noMember(step, passed, around);
    passed += `/${encodedStep(step)}`;
  }
  return found;
}

function noMember(step: string, passed: string, around: readonly PlacedSchema[]): string {
  const names = [...new Set(around.flatMap(({ schema }) => namesIn(schema)))];
  const isList = around.some(({ schema }) => schema['items'] ?? schema['prefixItems']);
  const known = names.length > 0 ? `; it has ${shortList(names)}` : '';
  const expected = isList ? '; the items of a list are /0 and so on' : known;
  const meant = didYouMean(step, names);
  return `there is no ${JSON.stringify(step)} in ${passed || 'the arguments'}${meant || expected}`;
}

function namesIn({ properties, patternProperties }: JsonSchema): string[] {
  return [properties, patternProperties].flatMap((named) =>
    isObject(named) ? Object.keys(named) : [],
  );
}

/** Schemas, and those beside them that hold for the same value, each once however many lead to it. */
function withAlternatives(
  starts: readonly PlacedSchema[],
  root: JsonSchema,
): readonly PlacedSchema[] {
  const queue = [...starts];
  const seen = new Set<unknown>(queue.map(({ schema }) => schema));
  const add = (schema: unknown, pointer: string) => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    queue.push({ schema, pointer });
  };
  for (const { schema, pointer } of queue) {
    const { $ref } = schema;
    if (typeof $ref === 'string') add(localTarget(root, $ref), $ref);
    for (const [keyword, value] of Object.entries(schema)) {
      if (!keywords.get(keyword)?.inPlace || keyword === 'not') continue;
      for (const { key, schema: inner } of subschemasAt(keyword, value)) {
        add(inner, below(pointer, keyword, key));
      }
    }
  }
  return queue;
}

/** What a schema says of one member of its value: of one that it does not name, what it says of such. */
function membersAt(placed: PlacedSchema, step: string): PlacedSchema[] {
  const { schema, pointer } = placed;
  const { properties, prefixItems } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : null;
  const own = isObject(named)
    ? [{ schema: named, pointer: below(pointer, 'properties', step) }]
    : [];
  const known = [...own, ...matchingAt(placed, step)];
  if (known.length > 0) return known;
  const others = ['additionalProperties', 'unevaluatedProperties'];
  if (!isPosition(step)) return others.flatMap((keyword) => placedAt(keyword, placed));
  const before: unknown = Array.isArray(prefixItems) ? prefixItems[Number(step)] : undefined;
  if (isObject(before)) return [{ schema: before, pointer: below(pointer, 'prefixItems', step) }];
  return ['items', ...others].flatMap((keyword) => placedAt(keyword, placed));
}

/** The schemas of all patterns that a name has. */
function matchingAt({ schema, pointer }: PlacedSchema, step: string): PlacedSchema[] {
  const { patternProperties } = schema;
  return Object.entries(isObject(patternProperties) ? patternProperties : {}).flatMap(
    ([pattern, inner]) =>
      isObject(inner) && compilePattern(pattern).test(step)
        ? { schema: inner, pointer: below(pointer, 'patternProperties', pattern) }
        : [],
  );
}

function placedAt(keyword: string, { schema, pointer }: PlacedSchema): PlacedSchema[] {
  return subschemasAt(keyword, schema[keyword]).flatMap(({ key, schema: inner }) =>
    isObject(inner) ? { schema: inner, pointer: below(pointer, keyword, key) } : [],
  );
}

/** The pointer of what stands under a keyword. */
export function below(pointer: string, keyword: string, key?: string | number): string {
  const own = `${pointer}/${keyword}`;
  return key === undefined ? own : `${own}/${encodeURIComponent(encodedStep(String(key)))}`;
}

function isPosition(step: string): boolean {
  return /^(?:0|[1-9]\d{0,8}|-)$/.test(step);
}

/** Each schema once; what is nothing but a reference is what it leads to. */
function unique(placed: readonly PlacedSchema[]): PlacedSchema[] {
  return [...new Map(placed.map((each) => [identityOf(each.schema), each])).values()];
}

function identityOf(schema: JsonSchema): unknown {
  const { $ref, ...rest } = schema;
  return typeof $ref === 'string' && Object.keys(rest).length === 0 ? $ref : schema;
}
