import { isObject } from '#contract/json';
import { keywordsWhere } from '#contract/schema/keywords';
import { subschemasAt } from '#contract/schema/subschemas';
import type { Position, References } from './references.ts';

/** What is known of the values of a property: schemas that must all hold, or of which one must. */
export type Expression =
  | { readonly kind: 'schema'; readonly schema: unknown; readonly at: Position }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'anything' };

/** An object schema with its combinations put into one list of properties: it takes no less. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, Expression>;
  readonly required: ReadonlySet<string>;
  /** No other properties are taken. */
  readonly closed: boolean;
}

const anything: FlatObject = { properties: new Map(), required: new Set(), closed: false };

/** Put everything that a schema says about an object into one list of properties. */
export function flatten(schema: unknown, at: Position, references: References): FlatObject {
  if (!isObject(schema)) return anything;
  const inside = (part: unknown) => flatten(part, at, references);
  const parts: FlatObject[] = [ownProperties(schema, at)];
  const target = schema['$ref'] === undefined ? undefined : references.follow(schema['$ref'], at);
  if (target) parts.push(flatten(target.schema, target.at, references));
  parts.push(...listOf(schema['allOf']).map(inside));
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = listOf(schema[keyword]).filter((member) => member !== false);
    if (members.length > 0) parts.push(either(members.map(inside)));
  }
  for (const part of conditional(schema)) parts.push(either([inside(part), anything]));
  const all = parts.reduce(both);
  const closed = schema['unevaluatedProperties'] === false && !isOpenInside(schema);
  return closed ? { ...all, closed } : all;
}

/** Keywords whose schemas all values have to satisfy, or none of them. */
const unconditional = new Set(['allOf', 'anyOf', 'oneOf', 'not']);
const conditions = keywordsWhere(({ inPlace }) => inPlace === true).difference(unconditional);

/** Parts that only some values have to satisfy. */
function conditional(schema: Record<string, unknown>): unknown[] {
  return [...conditions]
    .flatMap((keyword) => subschemasAt(keyword, schema[keyword]))
    .flatMap(({ schema: part }) => (isObject(part) ? part : []));
}

function ownProperties(schema: Record<string, unknown>, at: Position): FlatObject {
  const { properties, required, additionalProperties } = schema;
  const own = isObject(properties) ? Object.entries(properties) : [];
  return {
    properties: new Map(own.map(([name, part]) => [name, { kind: 'schema', schema: part, at }])),
    required: new Set(listOf(required).filter((name) => typeof name === 'string')),
    closed: additionalProperties === false && schema['patternProperties'] === undefined,
  };
}

/** Whether something inside may let properties in that no list names. */
function isOpenInside(schema: unknown): boolean {
  return /"(?:patternProperties|additionalProperties|\$ref|\$dynamicRef)":/.test(
    JSON.stringify(schema),
  );
}

/** What satisfies both. */
function both(a: FlatObject, b: FlatObject): FlatObject {
  const properties = new Map(a.properties);
  for (const [name, expression] of b.properties) {
    const other = properties.get(name);
    properties.set(name, other ? bothOf(other, expression) : expression);
  }
  return {
    properties,
    required: new Set([...a.required, ...b.required]),
    closed: a.closed || b.closed,
  };
}

/** An expression that takes everything, as alternatives may, adds nothing to another. */
function bothOf(a: Expression, b: Expression): Expression {
  if (takesEverything(a)) return b;
  return takesEverything(b) ? a : { kind: 'all', of: [a, b] };
}

function takesEverything(expression: Expression): boolean {
  switch (expression.kind) {
    case 'anything':
      return true;
    case 'schema': {
      const { schema } = expression;
      return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
    }
    case 'all':
      return expression.of.every(takesEverything);
    case 'any':
      return expression.of.some(takesEverything);
  }
}

/** What satisfies at least one. */
function either(members: readonly FlatObject[]): FlatObject {
  const names = new Set(members.flatMap(({ properties }) => [...properties.keys()]));
  const properties = [...names].map((name) => [name, alternatives(name, members)] as const);
  const [first, ...rest] = members.map(({ required }) => required);
  return {
    properties: new Map(properties),
    required: rest.reduce((common, each) => common.intersection(each), new Set(first)),
    closed: members.every(({ closed }) => closed),
  };
}

/**
 * Where a property is not named, it is not there, or it may be anything; alternatives that forbid it
 * say nothing of its values.
 */
function alternatives(name: string, members: readonly FlatObject[]): Expression {
  const all = members.flatMap(({ properties, closed }): Expression[] => {
    const own = properties.get(name);
    if (own) return [own];
    return closed ? [] : [{ kind: 'anything' }];
  });
  const of = all.filter((each) => each.kind !== 'schema' || each.schema !== false);
  const [only = all[0]] = of;
  return of.length <= 1 && only ? only : { kind: 'any', of };
}

/** A keyword's list; nothing where it has none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
