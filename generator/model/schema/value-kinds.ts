import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from './api-operations.ts';

export type ScalarKind = 'string' | 'number' | 'boolean';

/** What kinds of value a schema allows; all empty where it says nothing. */
export interface ValueKinds {
  readonly scalars: ReadonlySet<ScalarKind>;
  readonly null: boolean;
  readonly object: boolean;
  /** The kinds of the items where it allows an array. */
  readonly items?: ValueKinds;
  /** The values, where it lists them. */
  readonly values?: readonly (string | number | boolean)[];
}

const nothing: ValueKinds = { scalars: new Set(), null: false, object: false };

/** What has been found out; while a schema is looked through, it adds nothing to itself. */
const knownKinds = new WeakMap<object, ValueKinds>();

/** Find out what kinds of value a schema allows, looking through references and alternatives. */
export function valueKinds(document: ApiDocument, schema: unknown, depth = 0): ValueKinds {
  if (!isObject(schema) || depth > deepestComposition) return nothing;
  const { node } = resolve(document, { node: schema, pointer: '' });
  const known = knownKinds.get(node);
  if (known !== undefined) return known;
  knownKinds.set(node, nothing);
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    listOf(node[keyword]).map((member) => valueKinds(document, member, depth + 1)),
  );
  const kinds = [ownKinds(document, node, depth), ...inner].reduce(either);
  knownKinds.set(node, kinds);
  return kinds;
}

/** Whether a value of these kinds can stand in a query as it is. */
export function isFlat({ object, items }: ValueKinds): boolean {
  return !object && (items === undefined || (!items.object && items.items === undefined));
}

function ownKinds(document: ApiDocument, node: Record<string, unknown>, depth: number): ValueKinds {
  const types = new Set([node['type']].flat());
  const values = listedValues(node);
  const kinds = {
    scalars: types.size === 1 && types.has(undefined) ? kindsOfValues(values) : scalarsOf(types),
    null: types.has('null') || (values?.includes(null) ?? false),
    object: types.has('object') || node['properties'] !== undefined,
    ...(types.has('array') || node['items'] !== undefined
      ? { items: valueKinds(document, node['items'], depth + 1) }
      : {}),
  };
  const listed = values?.filter((value) => value !== null);
  return listed === undefined ? kinds : { ...kinds, values: listed };
}

function scalarsOf(types: ReadonlySet<unknown>): Set<ScalarKind> {
  const scalars = new Set<ScalarKind>();
  if (types.has('string')) scalars.add('string');
  if (types.has('integer') || types.has('number')) scalars.add('number');
  if (types.has('boolean')) scalars.add('boolean');
  return scalars;
}

type Listed = string | number | boolean | null;

function listedValues(node: Record<string, unknown>): Listed[] | undefined {
  const values = Object.hasOwn(node, 'const') ? [node['const']] : node['enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const simple = values.filter((value) => value === null || typeof value !== 'object');
  return simple.length === values.length ? simple : undefined;
}

function kindsOfValues(values: readonly Listed[] = []): Set<ScalarKind> {
  const kinds = values.filter((value) => value !== null).map((value) => typeof value);
  return new Set(kinds as ScalarKind[]);
}

function either(a: ValueKinds, b: ValueKinds): ValueKinds {
  const items = a.items && b.items ? either(a.items, b.items) : (a.items ?? b.items);
  const values = join(a, b);
  return {
    scalars: a.scalars.union(b.scalars),
    null: a.null || b.null,
    object: a.object || b.object,
    ...(items && { items }),
    ...(values && { values }),
  };
}

/** Values stay listed only while each alternative with scalars lists its own. */
function join(a: ValueKinds, b: ValueKinds): ValueKinds['values'] {
  if (a.values && b.values) return [...new Set([...a.values, ...b.values])];
  if (a.values) return b.scalars.size === 0 ? a.values : undefined;
  return b.values && a.scalars.size === 0 ? b.values : undefined;
}
