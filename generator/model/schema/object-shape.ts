import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import { markedText, markOf } from './alternative-mark.ts';
import { deepestComposition, listOf, type Place, resolve } from './api-operations.ts';
import { listedValues } from './listed-values.ts';

type Node = Record<string, unknown>;

/** A property of an object schema. */
export interface ShapeProperty {
  readonly schema: unknown;
  readonly pointer: string;
  /** Only some alternatives name it; to the others it may be anything. */
  readonly isPartial?: true;
}

/** An object schema with its `allOf` and its alternatives put together. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, ShapeProperty>;
  readonly required: ReadonlySet<string>;
  /** What the alternatives ask for, in words. */
  readonly notes: readonly string[];
}

/** Thrown where a schema contains itself in a place that cannot stay recursive. */
export class RecursiveShapeError extends Error {
  readonly pointer: string;
  constructor(pointer: string) {
    super(`the schema ${pointer} contains itself`);
    this.pointer = pointer;
  }
}

/**
 * Read a schema as one flat object: `allOf` members are merged, alternatives give the union of
 * their properties. Clients refuse these keywords at the root of a tool's schema. `undefined`
 * where the schema is no object with known properties.
 */
export function objectShape(
  document: ApiDocument,
  place: Place,
  depth = 0,
): ObjectShape | undefined {
  const { node, pointer } = resolve(document, place);
  const known = knownShapes.get(node);
  if (known === 'unfinished' || depth > deepestComposition) throw new RecursiveShapeError(pointer);
  if (known !== undefined) return known.shape;
  knownShapes.set(node, 'unfinished');
  try {
    const shape = readShape(document, { node, pointer }, depth);
    knownShapes.set(node, { shape });
    return shape;
  } catch (error) {
    knownShapes.delete(node);
    throw error;
  }
}

/** Shapes that have been read, so that alternatives of alternatives cost no more than they are. */
const knownShapes = new WeakMap<
  object,
  { readonly shape: ObjectShape | undefined } | 'unfinished'
>();

function readShape(
  document: ApiDocument,
  { node, pointer }: Place,
  depth: number,
): ObjectShape | undefined {
  if (!mayBeObject(node)) return undefined;
  const shapesOf = (keyword: string) =>
    listOf(node[keyword]).map((member, index) =>
      objectShape(document, { node: member, pointer: `${pointer}/${keyword}/${index}` }, depth + 1),
    );
  const merged = [ownShape(node, pointer), ...shapesOf('allOf').filter(isPresent)].reduce(both);
  const alternatives = ['oneOf', 'anyOf'].map((keyword) => shapesOf(keyword).filter(isPresent));
  const shape = [...alternatives, conditionalShapes(document, { node, pointer }, depth)]
    .filter((shapes) => shapes.length > 0)
    .reduce(oneOfThem, merged);
  return shape.properties.size === 0 && shape.notes.length === 0 && shape.required.size === 0
    ? undefined
    : shape;
}

const anyShape: ObjectShape = { properties: new Map(), required: new Set(), notes: [] };

/** What holds only for some values (2020-12 core, 10.2.2): one of these, or it may be anything. */
function conditionalShapes(
  document: ApiDocument,
  { node, pointer }: Place,
  depth: number,
): readonly ObjectShape[] {
  const dependent = isObject(node['dependentSchemas']) ? node['dependentSchemas'] : {};
  const parts: [step: string, schema: unknown][] = [
    ['then', node['then']],
    ['else', node['else']],
    ...Object.entries(dependent).map(([name, schema]): [string, unknown] => [
      `dependentSchemas/${escapeStep(name)}`,
      schema,
    ]),
  ];
  const shapes = parts.flatMap(([step, schema]) => {
    if (!isObject(schema)) return [];
    const shape = objectShape(document, { node: schema, pointer: `${pointer}/${step}` }, depth + 1);
    return shape ? [{ ...shape, required: new Set<string>(), notes: [] }] : [];
  });
  return shapes.length > 0 ? [anyShape, ...shapes] : [];
}

function isPresent(shape: ObjectShape | undefined): shape is ObjectShape {
  return shape !== undefined;
}

function mayBeObject({ type }: Node): boolean {
  return (
    type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  );
}

function ownShape(node: Node, pointer: string): ObjectShape {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const required = Array.isArray(node['required']) ? node['required'] : [];
  return {
    properties: new Map(
      Object.entries(properties).map(([name, schema]) => [
        name,
        { schema, pointer: `${pointer}/properties/${escapeStep(name)}` },
      ]),
    ),
    required: new Set(required.filter((name) => typeof name === 'string')),
    notes: [],
  };
}

/** What satisfies both shapes. */
function both(left: ObjectShape, right: ObjectShape): ObjectShape {
  return {
    properties: joinProperties(left.properties, right.properties, bothOf),
    required: left.required.union(right.required),
    notes: [...left.notes, ...right.notes],
  };
}

/** What the shape and one of its alternatives ask for. */
function oneOfThem(base: ObjectShape, alternatives: readonly ObjectShape[]): ObjectShape {
  const [first, ...others] = alternatives;
  if (first === undefined) return base;
  let properties = first.properties;
  let common = first.required;
  for (const next of others) {
    properties = joinProperties(properties, next.properties, eitherOf);
    common = common.intersection(next.required);
  }
  const isSure = (name: string) => alternatives.every((each) => each.properties.has(name));
  const marked = [...properties].map(([name, property]): [string, ShapeProperty] => [
    name,
    isSure(name) ? property : { ...property, isPartial: true },
  ]);
  const shape = both(base, { properties: new Map(marked), required: common, notes: [] });
  const mark = markOf(alternatives);
  const choices = new Set(
    alternatives.map((alternative) => {
      const names = namesText(alternative.required.difference(shape.required));
      return mark === undefined ? names : markedText(alternative, mark, { names, isSure });
    }),
  );
  const notes = alternatives.flatMap((alternative) => alternative.notes);
  if (choices.size < 2) return { ...shape, notes: [...shape.notes, ...notes] };
  return { ...shape, notes: [...shape.notes, `Give ${[...choices].join(', or ')}.`, ...notes] };
}

function namesText(names: ReadonlySet<string>): string {
  return names.size === 0 ? 'none of these' : [...names].join(' and ');
}

type Properties = ObjectShape['properties'];

function joinProperties(
  left: Properties,
  right: Properties,
  join: (a: ShapeProperty, b: ShapeProperty) => ShapeProperty,
): Properties {
  const properties = new Map(left);
  for (const [name, property] of right) {
    const known = properties.get(name);
    properties.set(name, known === undefined ? property : join(known, property));
  }
  return properties;
}

/** What two parts of a whole say of a property: a part that says it of some values only adds nothing. */
function bothOf(a: ShapeProperty, b: ShapeProperty): ShapeProperty {
  if (a.isPartial && b.isPartial) return eitherOf(a, b);
  if (a.isPartial) return b;
  if (b.isPartial || isDeepStrictEqual(a.schema, b.schema)) return a;
  return { ...a, schema: bothSchemas(a.schema, b.schema) };
}

/** Keywords that differ stand side by side; beside a reference, none are looked for. */
function bothSchemas(a: unknown, b: unknown): unknown {
  const isFree =
    isObject(a) &&
    isObject(b) &&
    !('$ref' in a) &&
    Object.keys(b).every((key) => isSimple(key) && !(key in a));
  return isFree ? { ...a, ...b } : { allOf: [a, b] };
}

/** Keywords that mean the same whatever stands beside them. */
function isSimple(keyword: string): boolean {
  return keyword === 'const' || keyword === 'enum';
}

function eitherOf(a: ShapeProperty, b: ShapeProperty): ShapeProperty {
  const isSame = isDeepStrictEqual(a.schema, b.schema);
  const schema = isSame ? a.schema : eitherSchema(a.schema, b.schema);
  return { ...a, schema, ...(b.isPartial && { isPartial: true }) };
}

/** A schema that takes what one of two takes; the values of two enumerations are put together. */
function eitherSchema(left: unknown, right: unknown): unknown {
  const [a, b] = [listedValues(left), listedValues(right)];
  if (a !== undefined && b !== undefined && isObject(left) && isObject(right)) {
    const { const: _, ...rest } = left;
    return { ...rest, enum: [...new Set([...a, ...b])] };
  }
  const members = isObject(left) && Array.isArray(left['anyOf']) && left['anyOf'].length > 0;
  return { anyOf: [...(members ? (left['anyOf'] as unknown[]) : [left]), right] };
}
