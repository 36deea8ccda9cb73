import { isObject, type JsonSchema } from '../json.ts';
import { didYouMean } from '../nearest-name.ts';
import { shortList } from '../text/short-list.ts';
import { keywords } from './keywords.ts';
import { localTarget } from './local-reference.ts';
import { decodedSteps, encodedStep } from './pointer-steps.ts';
import { subschemas, subschemasAt } from './subschemas.ts';

/** A schema, and the pointer to it in the whole one that it is part of. */
export interface PlacedSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

/**
 * The schemas that hold for a place inside of a value: `/filter/0/name` (RFC 6901). References are
 * followed, and all alternatives looked at.
 *
 * @returns a sentence that says what was expected where there is no such place
 */
export function schemasAtPlace(root: JsonSchema, place: string): readonly PlacedSchema[] | string {
  let found: readonly PlacedSchema[] = [{ schema: root, pointer: '#' }];
  let passed = '';
  for (const step of decodedSteps(place)) {
    const around = found.flatMap((each) => withAlternatives(each, root));
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

function namesIn({ properties }: JsonSchema): string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** A schema, and those beside it that hold for the same value. */
function withAlternatives(start: PlacedSchema, root: JsonSchema): readonly PlacedSchema[] {
  const seen = new Set<unknown>([start.schema]);
  const queue = [start];
  const add = (schema: unknown, pointer: string) => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    queue.push({ schema, pointer });
  };
  for (const { schema, pointer } of queue) {
    const { $ref } = schema;
    if (typeof $ref === 'string') add(localTarget(root, $ref), $ref);
    for (const { keyword, key, schema: inner } of subschemas(schema)) {
      const isBeside = keywords.get(keyword)?.inPlace && keyword !== 'not';
      if (isBeside) add(inner, below(pointer, keyword, key));
    }
  }
  return queue;
}

/** What a schema says of one member of its value: of one that it does not name, what it says of such. */
function membersAt({ schema, pointer }: PlacedSchema, step: string): PlacedSchema[] {
  const { properties, prefixItems } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : null;
  if (isObject(named)) return [{ schema: named, pointer: below(pointer, 'properties', step) }];
  const others = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];
  if (!isPosition(step)) return others.flatMap((keyword) => placedAt(keyword, { schema, pointer }));
  const before: unknown = Array.isArray(prefixItems) ? prefixItems[Number(step)] : undefined;
  if (isObject(before)) return [{ schema: before, pointer: below(pointer, 'prefixItems', step) }];
  return ['items', ...others].flatMap((keyword) => placedAt(keyword, { schema, pointer }));
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

function unique(placed: readonly PlacedSchema[]): PlacedSchema[] {
  return [...new Map(placed.map((each) => [each.schema, each])).values()];
}
