import { isObject } from '#contract/json';
import { listOf, type Place, resolve } from '../../../model/schema/api-operations.ts';
import { among } from '../../../model/schema/listed-values.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { escapeStep } from '../../../read/text/json-pointer.ts';

/** What has to hold of one value together: a schema, and what it is composed of. */
export type Schema = readonly Place[];

/** A schema of a document, with what stands behind references and in `allOf` side by side. */
export interface View {
  /** Each node that says something of the value, with its place. */
  readonly parts: Schema;
  /** `undefined` where any type will do. */
  readonly types: ReadonlySet<string> | undefined;
  /** `undefined` where any value will do. */
  readonly values: readonly unknown[] | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly items: Schema | undefined;
  readonly tuple: readonly Schema[];
  /** Of members with other names; `false` where there are none. */
  readonly others: Schema | false | undefined;
  /** What the value may be instead of each other, besides null; none where it has no choice. */
  readonly choices: readonly Schema[];
  /** Whether it may be null; `undefined` where nobody says so. */
  readonly mayBeNull: boolean | undefined;
  /** What is said beside the choices. */
  readonly rest: Schema;
}

/** Choices of choices multiply; so many are told apart. */
const mostChoices = 64;
const deepest = 100;

/** The schema at a keyword. */
export function schemaAt({ node, pointer }: Place, ...steps: readonly string[]): Schema {
  const value = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), node);
  return schemaOf(value, pointer + steps.map((step) => `/${escapeStep(step)}`).join(''));
}

function schemaOf(value: unknown, pointer: string): Schema {
  if (value === false) return [{ node: { not: {} }, pointer }];
  return [{ node: isObject(value) ? value : {}, pointer }];
}

/** What is known of schemas of each document: choices are looked at again and again. */
const views = new WeakMap<ApiDocument, WeakMap<Schema, View>>();

/** Look at a schema. */
export function viewOf(document: ApiDocument, schema: Schema): View {
  const known = views.get(document) ?? new WeakMap<Schema, View>();
  views.set(document, known);
  const view = known.get(schema) ?? look(document, schema);
  known.set(schema, view);
  return view;
}

function look(document: ApiDocument, schema: Schema): View {
  const gathering: Gathering = { document, parts: new Map(), unions: [], limits: [] };
  for (const place of schema) gather(gathering, place, 0);
  const parts = [...gathering.parts.values()];
  const values = parts.reduce<readonly unknown[] | undefined>(
    (all, { node }) => both(all, valuesOf(node)),
    undefined,
  );
  const types = typesOf(gathering.limits) ?? impliedTypes(parts, values);
  return {
    parts,
    types,
    values: gathering.limits.some(({ orNull }) => orNull) ? withNull(values) : values,
    required: new Set(parts.flatMap(({ node }) => textsOf(node['required']))),
    properties: propertiesOf(parts),
    items: joined(parts, 'items'),
    tuple: tupleOf(parts),
    others: othersOf(parts),
    choices: choicesOf(gathering.unions.map(({ some }) => some)),
    mayBeNull: types?.has('null') ?? nullOf(gathering.unions),
    rest: parts.map(withoutChoices),
  };
}

interface Gathering {
  readonly document: ApiDocument;
  readonly parts: Map<object, Place>;
  readonly unions: { readonly some: readonly Place[]; readonly orNull: boolean }[];
  /** What the parts say of types; one that was a choice beside null allows that too. */
  readonly limits: { readonly node: Place['node']; readonly orNull: boolean }[];
}

function gather(gathering: Gathering, given: Place, depth: number, orNull = false): void {
  const { document, parts, unions, limits } = gathering;
  const { $ref, ...beside } = given.node;
  if (typeof $ref === 'string' && Object.keys(beside).some((key) => !isWord(key))) {
    gather(gathering, { node: beside, pointer: given.pointer }, depth + 1, orNull);
  }
  const place = resolve(document, given);
  // A form that is made of what it is a form of is not asked again which form it is.
  const own = bare.get(place.node) ?? place.node;
  if (parts.has(place.node) || parts.has(own) || depth > deepest) return;
  parts.set(place.node, place);
  limits.push({ node: place.node, orNull });
  for (const [index, node] of listOf(place.node['allOf']).entries()) {
    gather(gathering, { node, pointer: `${place.pointer}/allOf/${index}` }, depth + 1, orNull);
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const all = listOf(place.node[keyword]).map((node, index) => ({
      node,
      pointer: `${place.pointer}/${keyword}/${index}`,
    }));
    const some = all.filter((choice) => !isNull(resolve(document, choice).node));
    const [only] = some;
    const isOrNull = orNull || some.length < all.length;
    // A schema or null is that schema, which may be null.
    if (only && some.length === 1) {
      gather(gathering, only, depth + 1, isOrNull);
    } else if (some.length > 1) unions.push({ some, orNull: isOrNull });
  }
}

function isWord(key: string): boolean {
  return key === 'description' || key === 'summary' || key.startsWith('x-');
}

function isNull({ type, enum: values, const: one }: Place['node']): boolean {
  const isOnly = Array.isArray(values) && values.length === 1 && values[0] === null;
  return type === 'null' || isOnly || one === null;
}

function valuesOf(node: Place['node']): readonly unknown[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node['const']];
  return Array.isArray(node['enum']) ? node['enum'] : undefined;
}

function both(all: readonly unknown[] | undefined, some: readonly unknown[] | undefined) {
  if (all === undefined || some === undefined) return all ?? some;
  return all.filter(among(some));
}

function withNull(values: readonly unknown[] | undefined) {
  return values === undefined || values.includes(null) ? values : [...values, null];
}

function typesOf(limits: Gathering['limits']): ReadonlySet<string> | undefined {
  let types: ReadonlySet<string> | undefined;
  for (const { node, orNull } of limits) {
    const told = node['type'];
    if (told === undefined) continue;
    const own = new Set([told].flat().map(String));
    if (orNull) own.add('null');
    // A number that is also an integer is an integer (2020-12 validation, 6.1.1).
    if (types?.has('integer') && own.has('number')) own.add('integer');
    if (types?.has('number') && own.has('integer')) types = new Set([...types, 'integer']);
    types = types === undefined ? own : types.intersection(own);
  }
  return types;
}

/** What is said of members is said of objects, where nothing is said of types. */
function impliedTypes(
  parts: Schema,
  values: readonly unknown[] | undefined,
): ReadonlySet<string> | undefined {
  if (values) return new Set(values.map(typeOf));
  const has = (keyword: string) => parts.some(({ node }) => node[keyword] !== undefined);
  if (has('properties')) return new Set(['object']);
  return has('items') ? new Set(['array']) : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function propertiesOf(parts: Schema): Map<string, Schema> {
  const found = new Map<string, Schema>();
  for (const place of parts) {
    const own = place.node['properties'];
    for (const name of Object.keys(isObject(own) ? own : {})) {
      found.set(name, [...(found.get(name) ?? []), ...schemaAt(place, 'properties', name)]);
    }
  }
  return found;
}

function joined(parts: Schema, keyword: string): Schema | undefined {
  const found = parts.filter(({ node }) => node[keyword] !== undefined);
  return found.length === 0 ? undefined : found.flatMap((place) => schemaAt(place, keyword));
}

function tupleOf(parts: Schema): readonly Schema[] {
  const place = parts.find(({ node }) => Array.isArray(node['prefixItems']));
  if (!place) return [];
  return listOf(place.node['prefixItems']).map((node, index) => [
    { node, pointer: `${place.pointer}/prefixItems/${index}` },
  ]);
}

function othersOf(parts: Schema): View['others'] {
  const said = parts.flatMap(({ node }) => node['additionalProperties'] ?? []);
  const isClosed = parts.some(({ node }) => node['unevaluatedProperties'] === false);
  if (said.includes(false) || isClosed) return false;
  // What may be anything is no other than what nothing is said of.
  const isOpen = said.every((one) => !isObject(one) || Object.keys(one).length === 0);
  return isOpen ? undefined : joined(parts, 'additionalProperties');
}

/** One of each union together; unions that would make too many are left out. */
function choicesOf(unions: readonly (readonly Place[])[]): readonly Schema[] {
  let all: readonly Schema[] = [];
  for (const union of unions) {
    const before = all.length === 0 ? [[]] : all;
    if (before.length * union.length > mostChoices) continue;
    all = before.flatMap((some) => union.map((choice) => [...some, choice]));
  }
  return all;
}

/** A value has to be one of every union. */
function nullOf(unions: Gathering['unions']): boolean | undefined {
  return unions.length === 0 ? undefined : unions.every(({ orNull }) => orNull);
}

/** Each node without its choices once, so that what is compared is known again. */
const bare = new WeakMap<object, Place['node']>();

/** What a reference, `allOf`, or a union with null leads to stands among the parts itself. */
function withoutChoices({ node, pointer }: Place): Place {
  const { allOf: _, $ref: __, oneOf: ___, anyOf: ____, ...own } = node;
  const known = bare.get(node) ?? own;
  bare.set(node, known).set(known, known);
  return { node: known, pointer };
}
