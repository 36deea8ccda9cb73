import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type JsonSchema } from '#contract/json';
import { localTarget } from '#contract/schema/local-reference';
import { encodedStep } from '#contract/schema/pointer-steps';
import { subschemas } from '#contract/schema/subschemas';

/** One of several schemas, and the values that it lists for the property that tells them apart. */
interface Alternative {
  readonly schema: unknown;
  readonly values: readonly unknown[];
}

/** Of more unions than that, those that hold most of the others are looked at: their problems come last. */
const mostUnions = 64;

/**
 * Leaves out what is wrong with alternatives that the caller did not mean: where each of them lists
 * values of one property, the value that was given chooses; else those are meant that take values of its
 * kind. Where several fit and one should, nothing is wrong with the others.
 */
export function ofChosen(errors: readonly ErrorObject[], root: JsonSchema): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return unions
    .slice(-mostUnions)
    .reduce<readonly ErrorObject[]>((rest, union) => chosenIn(rest, union, root), errors);
}

function chosenIn(
  errors: readonly ErrorObject[],
  union: ErrorObject,
  root: JsonSchema,
): readonly ErrorObject[] {
  const { data, schema, instancePath } = union;
  if (!Array.isArray(schema)) return errors;
  const parts = schema.map((each: unknown) => partsOf(each, root));
  const names = isObject(data) ? Object.keys(data) : [];
  const mark = names.find((name) => parts.every((own) => valuesIn(own, name)));
  if (!isObject(data) || mark === undefined) return ofKind(errors, { union, parts, root });
  const given = data[mark];
  const alternatives = schema.map((each: unknown, at): Alternative => {
    return { schema: each, values: valuesIn(parts[at] ?? [], mark) ?? [] };
  });
  const [chosen, others] = [true, false].map((isMeant) =>
    alternatives.filter(({ values }) => values.includes(given) === isMeant),
  ) as [Alternative[], Alternative[]];
  if (others.length === 0) return errors;
  const [theirs, own] = [reachedFrom(others, root), reachedFrom(chosen, root)];
  const isOther = ({ parentSchema, instancePath: place }: ErrorObject) =>
    place.startsWith(instancePath) && theirs.has(parentSchema) && !own.has(parentSchema);
  const rest = errors.filter((error) => error !== union && !isOther(error));
  if (chosen.length > 0) return rest.length > 0 ? rest : [union];
  const allowedValues = [...new Set(alternatives.flatMap(({ values }) => values))];
  const wrong = {
    keyword: 'enum',
    instancePath: `${instancePath}/${encodedStep(mark)}`,
    data: given,
  };
  return [...rest, { ...union, ...wrong, params: { allowedValues } }];
}

/** What is wrong with those alternatives that take a value of the kind that was given. */
function ofKind(
  errors: readonly ErrorObject[],
  {
    union,
    parts,
    root,
  }: {
    readonly union: ErrorObject;
    readonly parts: readonly (readonly Record<string, unknown>[])[];
    readonly root: JsonSchema;
  },
): readonly ErrorObject[] {
  const { instancePath, params } = union;
  const isFitting = Array.isArray(params['passingSchemas']);
  const refused = errors.filter(
    (error) => error.instancePath === instancePath && ofWhole.has(error.keyword),
  );
  const others = parts.filter(
    (own) =>
      isFitting || refused.some(({ parentSchema }) => own.some((part) => part === parentSchema)),
  );
  if (others.length === 0 || (others.length === parts.length && !isFitting)) return errors;
  const reached = (some: typeof parts) =>
    reachedFrom(
      some.map(([schema]) => ({ schema, values: [] })),
      root,
    );
  const theirs = reached(others);
  const own = reached(parts.filter((each) => !others.includes(each)));
  const isOf = (
    schemas: ReadonlySet<unknown>,
    { parentSchema, instancePath: place }: ErrorObject,
  ) => place.startsWith(instancePath) && schemas.has(parentSchema);
  const isTold = errors.some((error) => isOf(own, error));
  return errors.filter((error) =>
    error === union ? !isTold : !isOf(theirs, error) || isOf(own, error),
  );
}

/** Keywords by which an alternative takes or refuses a value as a whole. */
const ofWhole = new Set(['const', 'enum', 'type']);

/** A schema and all that holds for the same value in any case. */
function partsOf(schema: unknown, root: JsonSchema): readonly Record<string, unknown>[] {
  const found = new Set([schema]);
  // A set also visits what is added while it is walked.
  for (const node of found) {
    if (!isObject(node)) continue;
    if (node['$ref'] !== undefined) found.add(localTarget(root, node['$ref']));
    for (const part of Array.isArray(node['allOf']) ? node['allOf'] : []) found.add(part);
  }
  return [...found].filter(isObject);
}

/** The values that the parts list for a property, each of which they all take. */
function valuesIn(
  parts: readonly Record<string, unknown>[],
  name: string,
): readonly unknown[] | undefined {
  const lists = parts.flatMap(({ properties }) => {
    const property =
      isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(property)) return [];
    if (Object.hasOwn(property, 'const')) return [[property['const']]];
    return Array.isArray(property['enum']) ? [property['enum']] : [];
  });
  const [first, ...others] = lists;
  return first?.filter((value: unknown) => others.every((list) => list.includes(value)));
}

/** All schemas that stand in these, or that they refer to. */
function reachedFrom(alternatives: readonly Alternative[], root: JsonSchema): ReadonlySet<unknown> {
  const found = new Set(alternatives.map(({ schema }) => schema));
  for (const node of found) {
    if (!isObject(node)) continue;
    if (node['$ref'] !== undefined) found.add(localTarget(root, node['$ref']));
    for (const { schema } of subschemas(node)) found.add(schema);
  }
  return found;
}
