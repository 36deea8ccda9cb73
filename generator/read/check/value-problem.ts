import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import { isMultiple } from '#contract/schema/multiple';
import { compilePattern } from '#contract/schema/pattern';
import { shown } from '../document/shape-mismatch.ts';
import type { Follow } from '../document/targets.ts';
import { isReference, type Node } from '../document/walk.ts';
import { isSafePattern } from '../text/safe-pattern.ts';
import { hasFormat } from './value-format.ts';

/** Where a value fails its schema, and why. */
export interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Schemas that are applied to one value: enough for real ones, an end for those that multiply. */
const maxApplied = 20_000;

/** Schemas within schemas, for one value and the values in it. */
const maxDepth = 500;

interface Checking {
  readonly follow: Follow;
  applied: number;
  depth: number;
}

/**
 * Find the first reason why `value` does not match `schema` (JSON Schema 2020-12). Interprets the
 * schema: compiling it first would cost a hundred times as much for the one value that it is
 * used for. What would need annotations (`unevaluated*`, `$dynamicRef`) is not looked at.
 */
export function findValueProblem(
  follow: Follow,
  schema: unknown,
  value: unknown,
): ValueProblem | undefined {
  const checking = { follow, applied: 0, depth: 0 };
  const found = apply(checking, schema, value);
  return checking.applied > maxApplied ? undefined : found;
}

function apply(checking: Checking, schema: unknown, value: unknown): ValueProblem | undefined {
  if (schema === false) return problem('nothing is allowed here');
  if (!isObject(schema) || ++checking.applied > maxApplied) return undefined;
  if (checking.depth > maxDepth) return undefined;
  checking.depth++;
  const found =
    (isReference(schema) ? apply(checking, checking.follow(schema), value) : undefined) ??
    typeProblem(schema, value) ??
    enumProblem(schema, value) ??
    scalarProblem(schema, value) ??
    (Array.isArray(value) ? listProblem(checking, schema, value) : undefined) ??
    (isObject(value) ? mapProblem(checking, schema, value) : undefined) ??
    combinedProblem(checking, schema, value);
  checking.depth--;
  return found;
}

function problem(message: string, path: ValueProblem['path'] = []): ValueProblem {
  return { message, path };
}

function inside(key: string | number, inner: ValueProblem | undefined): ValueProblem | undefined {
  return inner && { path: [key, ...inner.path], message: inner.message };
}

function typeProblem({ type }: Node, value: unknown): ValueProblem | undefined {
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((each) => isOfType(each, value))) return undefined;
  return problem(`must be of type ${types.join(' or ')}, but it is ${shown(value)}`);
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function enumProblem({ enum: allowed, const: only }: Node, value: unknown) {
  if (only !== undefined && !isEqual(only, value))
    return problem(`must be ${JSON.stringify(only)}`);
  if (!Array.isArray(allowed) || allowed.some((each) => isEqual(each, value))) return undefined;
  return problem(
    `must be one of ${JSON.stringify(allowed).slice(0, 100)}, but it is ${shown(value)}`,
  );
}

function isEqual(first: unknown, second: unknown): boolean {
  return first === second || (typeof first === 'object' && isDeepStrictEqual(first, second));
}

function scalarProblem(schema: Node, value: unknown): ValueProblem | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const { format } = schema;
  if (typeof format === 'string' && !hasFormat(format, value)) {
    return problem(`must have the format ${format}, but it is ${shown(value)}`);
  }
  return typeof value === 'number' ? numberProblem(schema, value) : textProblem(schema, value);
}

function numberProblem(schema: Node, value: number): ValueProblem | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const broken =
    (isNumber(minimum) && value < minimum && `at least ${minimum}`) ||
    (isNumber(maximum) && value > maximum && `at most ${maximum}`) ||
    (isNumber(exclusiveMinimum) && value <= exclusiveMinimum && `above ${exclusiveMinimum}`) ||
    (isNumber(exclusiveMaximum) && value >= exclusiveMaximum && `below ${exclusiveMaximum}`) ||
    (isNumber(multipleOf) && !isMultiple(value, multipleOf) && `a multiple of ${multipleOf}`);
  return broken ? problem(`must be ${broken}, but it is ${value}`) : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function textProblem({ minLength, maxLength, pattern }: Node, value: string) {
  const length = [...value].length;
  if (isNumber(minLength) && length < minLength)
    return problem(`must have ${minLength} characters`);
  if (isNumber(maxLength) && length > maxLength) {
    return problem(`must have at most ${maxLength} characters, but it has ${length}`);
  }
  if (typeof pattern !== 'string' || matches(pattern, value)) return undefined;
  return problem(`must match ${JSON.stringify(pattern)}, but it is ${shown(value)}`);
}

/** Hostile pairs of pattern and text are let through: they could keep us busy for ever. */
function matches(pattern: string, value: string): boolean {
  return value.length > 1_000 || !isSafePattern(pattern) || compilePattern(pattern).test(value);
}

function listProblem(
  checking: Checking,
  schema: Node,
  list: readonly unknown[],
): ValueProblem | undefined {
  const { minItems, maxItems, uniqueItems, prefixItems, items } = schema;
  if (isNumber(minItems) && list.length < minItems) return problem(`must have ${minItems} items`);
  if (isNumber(maxItems) && list.length > maxItems) {
    return problem(`must have at most ${maxItems} items, but it has ${list.length}`);
  }
  if (
    uniqueItems === true &&
    new Set(list.map((item) => JSON.stringify(item))).size < list.length
  ) {
    return problem('must not have an item twice');
  }
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [index, item] of list.entries()) {
    const found = inside(index, apply(checking, first[index] ?? items, item));
    if (found !== undefined) return found;
  }
  return undefined;
}

function mapProblem(checking: Checking, schema: Node, map: Node): ValueProblem | undefined {
  const { minProperties, maxProperties, propertyNames } = schema;
  const keys = Object.keys(map);
  if (isNumber(minProperties) && keys.length < minProperties) {
    return problem(`must have ${minProperties} properties`);
  }
  if (isNumber(maxProperties) && keys.length > maxProperties) {
    return problem(`must have at most ${maxProperties} properties, but it has ${keys.length}`);
  }
  const missing = missingProperty(checking, schema, map);
  if (missing !== undefined) return problem(`must have "${missing}"`);
  for (const key of keys) {
    const found =
      inside(key, apply(checking, propertyNames, key)) ??
      inside(key, propertyProblem(checking, schema, key, map[key]));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Properties that only go one way need not be there (OpenAPI 3.0.4, Schema Object: readOnly), nor
 * those that a default stands in for.
 */
function missingProperty(
  checking: Checking,
  { required, properties }: Node,
  map: Node,
): string | undefined {
  if (!Array.isArray(required)) return undefined;
  return required.find((name) => {
    if (map[name] !== undefined) return false;
    const property = checking.follow(isObject(properties) ? properties[name] : undefined);
    if (!isObject(property)) return true;
    const { readOnly, writeOnly, default: standIn } = property;
    return readOnly !== true && writeOnly !== true && standIn === undefined;
  });
}

function propertyProblem(checking: Checking, schema: Node, key: string, value: unknown) {
  const { properties, patternProperties, additionalProperties } = schema;
  let known = false;
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    known = true;
    const found = apply(checking, properties[key], value);
    if (found !== undefined) return found;
  }
  for (const [pattern, inner] of Object.entries(patternProperties ?? {})) {
    if (isSafePattern(pattern) && !compilePattern(pattern).test(key)) continue;
    known = true;
    const found = apply(checking, inner, value);
    if (found !== undefined) return found;
  }
  if (known) return undefined;
  if (additionalProperties === false) return problem('is not a property of its schema');
  return apply(checking, additionalProperties, value);
}

function combinedProblem(checking: Checking, schema: Node, value: unknown) {
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  const find = (inner: unknown) => apply(checking, inner, value);
  for (const inner of Array.isArray(allOf) ? allOf : []) {
    const found = find(inner);
    if (found !== undefined) return found;
  }
  if (Array.isArray(anyOf) && anyOf.every((inner) => find(inner) !== undefined)) {
    return problem('matches none of anyOf');
  }
  if (Array.isArray(oneOf)) {
    const count = oneOf.filter((inner) => find(inner) === undefined).length;
    if (count !== 1) return problem(`matches ${count === 0 ? 'none' : count} of oneOf`);
  }
  if (not !== undefined && find(not) === undefined) return problem('matches what "not" forbids');
  if (condition === undefined) return undefined;
  return find(schema[find(condition) === undefined ? 'then' : 'else']);
}
