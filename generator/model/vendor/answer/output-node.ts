import { isObject, type JsonPath } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from '../../schema/api-operations.ts';

/** What is known of a value in an answer: its types (none: anything), members and items. */
export interface OutputNode {
  readonly types: ReadonlySet<string>;
  readonly members: () => ReadonlyMap<string, OutputNode>;
  /** What stands at a position, where that differs, or at any. */
  readonly items: (position?: number) => OutputNode | undefined;
}

const noMembers: ReadonlyMap<string, OutputNode> = new Map();

/** A value of which nothing is known. */
export const unknownNode: OutputNode = {
  types: new Set(),
  members: () => noMembers,
  items: () => undefined,
};

/** What has been found out of a schema; while that is read, it adds nothing to itself. */
const knownNodes = new WeakMap<object, OutputNode>();

/** What a schema says of an answer. What only requests carry is left out. */
export function schemaNode(document: ApiDocument, schema: unknown, depth = 0): OutputNode {
  if (!isObject(schema) || depth > deepestComposition) return unknownNode;
  const { node } = resolve(document, { node: schema, pointer: '' });
  const known = knownNodes.get(node);
  if (known !== undefined) return known;
  knownNodes.set(node, unknownNode);
  const read = readNode(document, node, depth);
  knownNodes.set(node, read);
  return read;
}

function readNode(document: ApiDocument, node: Record<string, unknown>, depth: number): OutputNode {
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) =>
    listOf(node[keyword]).map((member) => schemaNode(document, member, depth + 1)),
  );
  const types = new Set([node['type'] ?? []].flat().map(String));
  if (types.size === 0 && isObject(node['properties'])) types.add('object');
  if (types.size === 0 && node['items'] !== undefined) types.add('array');
  let members: ReadonlyMap<string, OutputNode> | undefined;
  return {
    types: parts.reduce((all, part) => all.union(part.types), types),
    members: () => {
      members ??= new Map([
        ...ownMembers(document, node),
        ...parts.flatMap((part) => [...part.members()]),
      ]);
      return members;
    },
    items: (position) => {
      const own = listOf(node['prefixItems'])[position ?? -1] ?? node['items'];
      if (own !== undefined) return schemaNode(document, own);
      return parts.map((part) => part.items(position)).find((items) => items !== undefined);
    },
  };
}

function ownMembers(document: ApiDocument, node: Record<string, unknown>): [string, OutputNode][] {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  return Object.entries(properties)
    .filter(([, value]) => !(isObject(value) && value['writeOnly'] === true))
    .map(([name, value]) => [name, schemaNode(document, value)]);
}

/** An object with these members. */
export function objectNode(members: ReadonlyMap<string, OutputNode>): OutputNode {
  return { types: new Set(['object']), members: () => members, items: () => undefined };
}

/** The value at a path; a path through every member of an array gives an array. */
export function nodeAtPath(node: OutputNode, [step, ...rest]: JsonPath): OutputNode {
  if (step === undefined) return node;
  if (step === '*') return arrayNode(nodeAtPath(node.items() ?? unknownNode, rest));
  const next = typeof step === 'number' ? node.items(step) : node.members().get(step);
  return nodeAtPath(next ?? unknownNode, rest);
}

/** An array of such items. */
export function arrayNode(items: OutputNode): OutputNode {
  return { ...unknownNode, types: new Set(['array']), items: () => items };
}

/** The node with what stands at `path` changed; the same where nothing stands there. */
export function replacedAt(
  node: OutputNode,
  [step, ...rest]: JsonPath,
  change: (node: OutputNode) => OutputNode,
): OutputNode {
  if (step === undefined) return change(node);
  const inner = typeof step === 'string' ? node.members().get(step) : undefined;
  if (inner === undefined || typeof step !== 'string') return node;
  const members = new Map(node.members()).set(step, replacedAt(inner, rest, change));
  return { ...node, members: () => members };
}

/** An object of parallel arrays as the array of rows that it becomes. */
export function rowsNode(columns: OutputNode): OutputNode {
  const cells = [...columns.members()].map(
    ([name, column]) => [name, column.items() ?? unknownNode] as const,
  );
  return arrayNode(objectNode(new Map(cells)));
}
