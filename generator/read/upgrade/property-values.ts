import { isObject } from '#contract/json';
import { isReference, type Node } from '../document/walk.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';

/** What an object schema says of the values of one of its properties. */
export interface PropertyValues {
  /** Whether it is an object of one form, whose property may be a text. */
  readonly isOpen: boolean;
  /** Whether it has such a property. */
  readonly isDeclared: boolean;
  /** The values that it lists. */
  readonly values?: readonly unknown[];
  /** The values that it shows as examples or defaults. */
  readonly shown?: readonly unknown[];
}

/** More than any description follows from a schema to the schemas that it is made of. */
const mostSchemas = 100;

/** Gather what a schema, what it refers to, and all of its `allOf` say of a property. */
export function valuesOfProperty(root: Node, schema: unknown, name: string): PropertyValues {
  const values: unknown[][] = [];
  const shown: unknown[] = [];
  const pending: { readonly node: unknown; readonly isProperty: boolean }[] = [
    { node: schema, isProperty: false },
  ];
  const seen = new Set<unknown>();
  let isDeclared = false;
  for (const { node, isProperty } of pending) {
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    // Alternatives within an alternative have values of their own.
    if (seen.size > mostSchemas || isChoice(node)) return { isOpen: false, isDeclared };
    if (isReference(node)) pending.push({ node: targetOf(root, node.$ref), isProperty });
    const parts = Array.isArray(node['allOf']) ? node['allOf'] : [];
    pending.push(...parts.map((part: unknown) => ({ node: part, isProperty })));
    if (!isProperty) {
      const { properties } = node;
      if (!isObject(properties) || !Object.hasOwn(properties, name)) continue;
      isDeclared = true;
      pending.push({ node: properties[name], isProperty: true });
      continue;
    }
    if (node['type'] !== undefined && ![node['type']].flat().includes('string')) {
      return { isOpen: false, isDeclared };
    }
    if (Object.hasOwn(node, 'const')) values.push([node['const']]);
    if (Array.isArray(node['enum'])) values.push(node['enum']);
    if (Array.isArray(node['examples'])) shown.push(...node['examples']);
    if (Object.hasOwn(node, 'default')) shown.push(node['default']);
  }
  const [first, ...more] = values;
  const others = more.map((list) => new Set(list));
  const common = first?.filter((value) => others.every((list) => list.has(value)));
  return {
    ...{ isOpen: true, isDeclared },
    ...(common && { values: common }),
    ...(shown.length > 0 && { shown }),
  };
}

function isChoice(node: Node): boolean {
  return ['oneOf', 'anyOf'].some((keyword) => Array.isArray(node[keyword]));
}

function targetOf(root: Node, reference: string): unknown {
  return reference.startsWith('#/') ? lookUp(root, parsePointer(reference.slice(1))) : undefined;
}
