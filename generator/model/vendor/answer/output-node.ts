import { isObject, type JsonPath } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from '../../schema/api-operations.ts';
import { mayBeLong } from '../../schema/long-integers.ts';
import { joinHalves } from './join-halves.ts';

/** What is known of a value in an answer: its types (none: anything), members and items. */
export interface OutputNode {
  readonly types: ReadonlySet<string>;
  readonly members: () => ReadonlyMap<string, OutputNode>;
  /** What stands at a position, where that differs, or at any. */
  readonly items: (position?: number) => OutputNode | undefined;
  /** Only some alternatives name this member; to the others it may be anything. */
  readonly isPartial?: true;
}

/** Beside the types of JSON Schema: a text of the digits of a long number, and no other. */
export const digitsType = 'digits';

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
  const read = (keyword: string) =>
    listOf(node[keyword]).map((member) => schemaNode(document, member, depth + 1));
  let members: ReadonlyMap<string, OutputNode> | undefined;
  const own: OutputNode = {
    types: ownTypes(node),
    members: () => {
      members ??= ownMembers(document, node);
      return members;
    },
    items: (position) => itemsNode(document, node, position),
  };
  // A value satisfies each of these, and one of the alternatives of each choice.
  const choices = ['oneOf', 'anyOf'].map(read).flatMap((choice) => eitherNode(choice) ?? []);
  return joinHalves([own, ...read('allOf'), ...choices], bothNode);
}

function ownTypes(node: Record<string, unknown>): ReadonlySet<string> {
  const types = new Set([node['type'] ?? []].flat().map(String));
  // What readers of JSON would round comes as its digits (runtime/outbound/content/json/exact-json.ts).
  if (mayBeLong(node)) types.add(digitsType);
  if (types.size === 0 && isObject(node['properties'])) types.add('object');
  if (types.size === 0 && node['items'] !== undefined) types.add('array');
  return types;
}

/** What stands at a position of a list, or at any: the first items may each have their own schema. */
function itemsNode(
  document: ApiDocument,
  node: Record<string, unknown>,
  position: number | undefined,
): OutputNode | undefined {
  const first = listOf(node['prefixItems']);
  const own = position === undefined ? undefined : first[position];
  if (own !== undefined) return schemaNode(document, own);
  const rest = isObject(node['items']) ? [schemaNode(document, node['items'])] : [];
  if (position !== undefined || first.length === 0) return rest[0];
  const further = node['items'] === undefined ? [unknownNode] : rest;
  return eitherNode([...first.map((schema) => schemaNode(document, schema)), ...further]);
}

/** What is known of a value of which two things are said; never more than each of them alone says. */
function bothNode(a: OutputNode, b: OutputNode): OutputNode {
  if (a === unknownNode || a === b) return b;
  if (b === unknownNode) return a;
  let members: ReadonlyMap<string, OutputNode> | undefined;
  return {
    // One of them says enough: a number may be an integer in the other.
    types: a.types.size > 0 ? a.types : b.types,
    members: () => {
      members ??= bothMembers(a.members(), b.members());
      return members;
    },
    items: (position) => {
      const [first, second] = [a.items(position), b.items(position)];
      return first && second ? bothNode(first, second) : (first ?? second);
    },
  };
}

function bothMembers(
  a: ReadonlyMap<string, OutputNode>,
  b: ReadonlyMap<string, OutputNode>,
): ReadonlyMap<string, OutputNode> {
  const members = new Map(a);
  for (const [name, member] of b) {
    const known = members.get(name);
    members.set(name, known === undefined ? member : bothMember(known, member));
  }
  return members;
}

/** What holds of some values only does not narrow what holds of all. */
function bothMember(a: OutputNode, b: OutputNode): OutputNode {
  if (a.isPartial === b.isPartial && !a.isPartial) return bothNode(a, b);
  const { isPartial: _, ...either } = eitherNode([a, b]) ?? unknownNode;
  return a.isPartial && b.isPartial ? { ...either, isPartial: true } : either;
}

/** What is known of a value that is as one of several alternatives says, whichever it is. */
export function eitherNode(alternatives: readonly OutputNode[]): OutputNode | undefined {
  const [only] = alternatives;
  if (alternatives.length < 2) return only;
  const isOpen = alternatives.some(({ types }) => types.size === 0);
  const all = alternatives.map(({ types }) => types);
  let members: ReadonlyMap<string, OutputNode> | undefined;
  return {
    types: isOpen ? new Set() : all.reduce((union, types) => union.union(types)),
    members: () => {
      members ??= eitherMembers(alternatives);
      return members;
    },
    items: (position) => {
      const lists = alternatives.filter(({ types }) => types.size === 0 || types.has('array'));
      const items = lists.map((each) => each.items(position));
      // Where one of the lists holds anything, so do all of them together.
      return items.includes(undefined)
        ? undefined
        : eitherNode(items.flatMap((each) => each ?? []));
    },
  };
}

/** Each member as any of the alternatives has it that name it. */
function eitherMembers(alternatives: readonly OutputNode[]): ReadonlyMap<string, OutputNode> {
  const found = new Map<string, OutputNode[]>();
  for (const alternative of alternatives) {
    for (const [name, member] of alternative.members()) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [member]);
      else if (!known.includes(member)) known.push(member);
    }
  }
  return new Map(
    [...found].map(([name, nodes]) => {
      const isSure = alternatives.every((each) => each.members().has(name));
      const either = eitherNode(nodes) ?? unknownNode;
      return [name, isSure ? either : { ...either, isPartial: true }];
    }),
  );
}

function ownMembers(
  document: ApiDocument,
  node: Record<string, unknown>,
): ReadonlyMap<string, OutputNode> {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  return new Map(
    Object.entries(properties)
      .filter(([, value]) => !(isObject(value) && value['writeOnly'] === true))
      .map(([name, value]) => [name, schemaNode(document, value)]),
  );
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
