import { isObject } from '#contract/json';
import { valueText } from '../document/value-text.ts';
import { isReference, type Node, type Reference, walk } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Origins, Path } from '../text/origins.ts';
import { valuesOfProperty } from './property-values.ts';

const components = '#/components/schemas/';

/** A choice whose alternatives are told apart by the value of a property. */
interface Choice {
  readonly property: string;
  readonly alternatives: readonly Reference[];
  /** The values that the mapping has for each reference. */
  readonly mapped: ReadonlyMap<string, readonly string[]>;
  /** The reference that takes all other values, and none at all (OpenAPI 3.2, `defaultMapping`). */
  readonly fallback?: string;
}

/**
 * Write into each alternative of a `oneOf` or `anyOf` which values of the discriminating property
 * select it (OpenAPI 3.1.1, Discriminator Object): a keyword that JSON Schema does not know becomes
 * one that it does. Where a value stands in no mapping, it is the name of the schema.
 */
export function upgradeDiscriminators(document: WorkingDocument): void {
  const { grammar, root, origins } = document;
  walk(grammar, root, {
    leave(name, node, path) {
      if (name !== 'Schema' || !isObject(node['discriminator'])) return;
      for (const keyword of ['oneOf', 'anyOf']) {
        const list = node[keyword];
        const choice = Array.isArray(list)
          ? choiceOf(root, node['discriminator'], list)
          : undefined;
        if (choice && isTelling(root, node, choice))
          narrow(root, choice, { list: list as unknown[], path: [...path, keyword], origins });
      }
    },
  });
}

/**
 * Whether the property stands in a mapping, in an alternative, or beside them. What is named after the
 * member that holds the choice tells nothing apart, and no value of it is ever sent.
 */
function isTelling(
  root: Node,
  { properties, allOf }: Node,
  { property, alternatives, mapped }: Choice,
): boolean {
  const told = [{ properties, allOf }, ...alternatives].map((each) =>
    valuesOfProperty(root, each, property),
  );
  return mapped.size > 0 || told.some(({ isOpen, isDeclared }) => !isOpen || isDeclared);
}

/** The alternatives of a list that a property tells apart; nothing where no property is named. */
export function choiceOf(
  root: Node,
  { propertyName, mapping, defaultMapping }: Node,
  list: readonly unknown[],
): Choice | undefined {
  if (typeof propertyName !== 'string' || propertyName === '') return undefined;
  const alternatives = list.filter(isBareReference);
  const mapped = new Map<string, string[]>();
  for (const [value, target] of Object.entries(isObject(mapping) ? mapping : {})) {
    const reference = referenceOf(root, target);
    mapped.set(reference, [...(mapped.get(reference) ?? []), value]);
  }
  for (const { $ref } of alternatives) {
    const value = ownValue(root, $ref);
    if (value !== undefined && !mapped.has($ref)) mapped.set($ref, [value]);
  }
  const fallback = defaultMapping === undefined ? undefined : referenceOf(root, defaultMapping);
  return {
    ...{ property: propertyName, alternatives, mapped },
    ...(fallback !== undefined && { fallback }),
  };
}

/** The value that AutoRest writes beside a schema whose name is another one. */
export function ownValue(root: Node, reference: string): string | undefined {
  const schema = lookUp(root, parsePointer(reference.slice(1)));
  const value = isObject(schema) ? schema['x-ms-discriminator-value'] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** What stands beside a reference may say more of the alternative than is known here. */
function isBareReference(value: unknown): value is Reference {
  return (
    isReference(value) && Object.keys(value).every((key) => key === '$ref' || key === 'description')
  );
}

/** A mapping names a schema by its name or by a reference to it; a name is a name first. */
export function referenceOf({ components: all }: Node, target: unknown): string {
  const text = valueText(target);
  const schemas = isObject(all) ? all['schemas'] : undefined;
  const isName = isObject(schemas) && Object.hasOwn(schemas, text);
  return isName ? components + text.replaceAll('~', '~0').replaceAll('/', '~1') : text;
}

/** Write into each alternative of a list the values that select it. */
export function narrow(
  root: Node,
  { property, alternatives, mapped, fallback }: Choice,
  at: { readonly list: unknown[]; readonly path: Path; readonly origins: Origins },
): void {
  const selected = new Map<Reference, readonly string[]>();
  const named: [Reference, string][] = [];
  for (const each of alternatives) {
    const values = mapped.get(each.$ref);
    if (each.$ref === fallback) continue;
    if (values !== undefined) selected.set(each, values);
    else if (each.$ref.startsWith(components)) named.push([each, nameOf(each.$ref)]);
  }
  // A description that has other values than the names of its schemas has only left its mapping out.
  const isNamed = named.every(([each, name]) => takesName(root, each, property, name));
  if (isNamed) for (const [each, name] of named) selected.set(each, [name]);
  for (const [index, each] of at.list.entries()) {
    if (!isBareReference(each)) continue;
    const own = valuesOfProperty(root, each, property);
    if (each.$ref === fallback && own.isOpen && own.values === undefined) {
      const taken = [...selected.values()].flat();
      if (taken.length > 0) put(at, index, each, { [property]: { not: { enum: taken } } });
    }
    const values = selected.get(each);
    if (values === undefined) continue;
    const known = own.values && new Set(own.values);
    const kept = known ? values.filter((value) => known.has(value)) : values;
    const isTold = own.values !== undefined && own.values.length <= kept.length;
    if (!own.isOpen || kept.length === 0 || isTold) continue;
    const [only] = kept;
    const value = kept.length === 1 ? { const: only } : { enum: [...kept] };
    put(at, index, each, { [property]: value });
  }
}

function nameOf(reference: string): string {
  return parsePointer(reference.slice(1)).at(-1) ?? '';
}

function takesName(root: Node, reference: Reference, property: string, name: string): boolean {
  const { isOpen, values, shown } = valuesOfProperty(root, reference, property);
  return isOpen && (values ?? shown ?? [name]).includes(name);
}

/** Both of what the reference leads to, and what is known of the property. */
function put(
  {
    list,
    path,
    origins,
  }: { readonly list: unknown[]; readonly path: Path; readonly origins: Origins },
  index: number,
  reference: Reference,
  properties: Node,
): void {
  const origin = origins.at([...path, index]);
  const allOf = [reference, { properties }];
  for (const at of allOf.keys()) origins.set(allOf, at, origin);
  list[index] = { allOf };
  origins.set(list, index, origin);
}
