import { isObject, type JsonSchema } from '#contract/json';
import { described } from './rule-words.ts';
import type { Decode } from './written-arguments.ts';

/** The kinds of values that JSON has. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** One kind of object among several, and how it is told from the others. */
export interface ObjectForm {
  readonly names: ReadonlySet<string>;
  /** Required properties that have one of few values. */
  readonly fixed: ReadonlyMap<string, readonly unknown[]>;
  readonly decode?: Decode | undefined;
}

/** A part of a schema in the strict form, and how its values become those of the exact form. */
export interface StrictNode {
  /** Without the description. */
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  /** The kinds of values that the strict form takes. */
  readonly kinds: ReadonlySet<Kind>;
  /** Absent where the values are the same in both forms. */
  readonly decode?: Decode | undefined;
  /** Where it takes objects, each kind of them. */
  readonly objects?: readonly ObjectForm[];
  /** Where it takes few values, these. */
  readonly values?: readonly unknown[];
  /** Its values are JSON text. */
  readonly isText?: true;
}

/** Stands for null where null itself says that an argument is left out. */
export const explicitNull = 'explicit_null';

const nullMarker: JsonSchema = {
  type: 'object',
  properties: { [explicitNull]: { type: 'boolean', enum: [true] } },
  required: [explicitNull],
  additionalProperties: false,
};

export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const kind = typeof value;
  return kind === 'bigint' || kind === 'symbol' || kind === 'function' || kind === 'undefined'
    ? undefined
    : kind;
}

/** A part as it is shown: no reference has anything beside it in strict mode. */
export function shownNode({ schema, description }: StrictNode): JsonSchema {
  if (description === undefined || description === '') return schema;
  return described(schema['$ref'] === undefined ? schema : { anyOf: [schema] }, [description]);
}

/** A property that may be left out: all properties are required in strict mode, so null says that. */
export function optionalNode(node: StrictNode): StrictNode {
  const { schema, description, kinds, decode } = node;
  if (kinds.has('null')) {
    const note = `null leaves it out, {"${explicitNull}": true} sets null.`;
    return {
      ...node,
      schema: { anyOf: [...membersOf(schema), nullMarker] },
      description: [description, note].filter(Boolean).join(' '),
      decode(value, report) {
        if (isNullMarker(value)) return null;
        return decode ? decode(value, report) : value;
      },
    };
  }
  return { ...node, schema: withNull(schema) };
}

function isNullMarker(value: unknown): boolean {
  return isObject(value) && value[explicitNull] === true && Object.keys(value).length === 1;
}

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [...membersOf(schema), { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

function membersOf(schema: JsonSchema): readonly unknown[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) && Object.keys(schema).length === 1 ? anyOf : [schema];
}

/** Several forms of which a value has one; nothing where a value could be meant in two ways. */
export function unionNode(nodes: readonly StrictNode[]): StrictNode | undefined {
  const [only] = nodes;
  if (nodes.length < 2) return only;
  const kinds = new Set(nodes.flatMap((node) => [...node.kinds]));
  const schema = { anyOf: nodes.flatMap((node) => membersOf(shownNode(node))) };
  const objects = nodes.flatMap((node) => node.objects ?? []);
  const union = { schema, kinds, ...(objects.length > 0 && { objects }) };
  if (nodes.every(({ decode }) => decode === undefined)) return union;
  const owners = new Map<Kind, StrictNode>();
  for (const kind of kinds) {
    const able = nodes.filter((node) => node.kinds.has(kind));
    const [first] = able;
    const isClear = able.length === 1 || able.every(({ decode }) => decode === undefined);
    if (kind !== 'object' && !isClear) return undefined;
    if (first) owners.set(kind, first);
  }
  if (!areDistinct(objects)) return undefined;
  return {
    ...union,
    decode(value, report) {
      const kind = kindOf(value);
      if (kind === 'object') return decodeObject(value, objects, report);
      const decode = kind && owners.get(kind)?.decode;
      return decode ? decode(value, report) : value;
    },
  };
}

function decodeObject(
  value: unknown,
  objects: readonly ObjectForm[],
  report: Parameters<Decode>[1],
): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const fits = ({ names: known, fixed }: ObjectForm) =>
    names.every((name) => known.has(name)) &&
    [...fixed].every(([name, values]) => value[name] === undefined || values.includes(value[name]));
  const fitting = objects.filter(fits);
  const form = fitting.find((each) => each.names.size === names.length) ?? fitting[0];
  return form?.decode ? form.decode(value, report) : value;
}

/** Whether every two kinds of objects differ in their properties, or in a value that both fix. */
function areDistinct(objects: readonly ObjectForm[]): boolean {
  return objects.every((a, index) =>
    objects
      .slice(index + 1)
      .every((b) => a.names.symmetricDifference(b.names).size > 0 || differ(a, b)),
  );
}

function differ(a: ObjectForm, b: ObjectForm): boolean {
  return [...a.fixed].some(([name, values]) => {
    const others = b.fixed.get(name);
    return others !== undefined && !values.some((value) => others.includes(value));
  });
}
