import type { JsonSchema } from '#contract/json';
import { longDigits } from '#contract/schema/relaxed';
import type { ResponseShape } from '#contract/tool';
import {
  arrayNode,
  digitsType,
  nodeAtPath,
  type OutputNode,
  objectNode,
  replacedAt,
  rowsNode,
  unknownNode,
} from './output-node.ts';

/** Members of members of members are open: deeper schemas cost more than they tell. */
const deepest = 3;

/** A schema with more parts or characters than this is cut at a smaller depth. */
const mostParts = 400;
const mostCharacters = 3072;

/**
 * The schema of a shaped result. Every field is optional, nullable and open, because clients check
 * even error results against it; its root is an object. `followed` is what the items lead to.
 */
export function outputSchema(
  answer: OutputNode,
  shape: ResponseShape = {},
  followed?: OutputNode,
): JsonSchema {
  const result = resultNode(answer, shape, followed);
  for (let depth = deepest; depth > 1; depth--) {
    // Counted first: references can multiply beyond all bounds.
    if (partsOf(result, depth, mostParts) > mostParts) continue;
    const schema = rootSchema(result, depth);
    if (shownLength(schema) <= mostCharacters) return schema;
  }
  return rootSchema(result, 1);
}

/** What clients are shown of it: no pattern of digits (runtime/mcp/profiles/schema-form.ts). */
function shownLength(schema: JsonSchema): number {
  return JSON.stringify(schema, (key, value) =>
    key === 'pattern' && value === longDigits ? undefined : value,
  ).length;
}

/** In which members an answer stands that is no object (runtime/outbound/digest/arranger.ts). */
const wrappers = ['value', 'text'];

/** `error` stays open: what this server says of a failure stands there, and clients check that too. */
function rootSchema(result: OutputNode, depth: number): JsonSchema {
  const members = new Map(result.members());
  members.delete('error');
  const isObjectOnly =
    result.types.size > 0 && result.types.isSubsetOf(new Set(['object', 'null']));
  if (!isObjectOnly) for (const name of wrappers) members.delete(name);
  return { type: 'object', ...membersSchema({ ...result, members: () => members }, depth) };
}

function resultNode(answer: OutputNode, shape: ResponseShape, followed?: OutputNode): OutputNode {
  const rows = shape.rows ?? [];
  const node = rows.reduce((all, path) => replacedAt(all, path, rowsNode), answer);
  if (shape.items === undefined) return shaped(node, shape);
  const found = nodeAtPath(node, shape.items);
  const item = followed ?? found.items() ?? found;
  return objectNode(
    new Map([
      ['items', arrayNode(shaped(item, shape))],
      ['next_cursor', { ...unknownNode, types: new Set(['string']) }],
      ['truncated', { ...unknownNode, types: new Set(['boolean']) }],
    ]),
  );
}

/** How many parts a schema of this depth has, counted until there are more than `most`. */
function partsOf(node: OutputNode, depth: number, most: number): number {
  let count = 1;
  if (depth < 1) return count;
  const items = node.items();
  for (const part of items === undefined
    ? node.members().values()
    : [...node.members().values(), items]) {
    count += partsOf(part, depth - 1, most - count);
    if (count > most) break;
  }
  return count;
}

/** What `map`, `pick` and `drop` leave, as runtime/outbound/content/item-shape.ts does it. */
function shaped(node: OutputNode, { map, pick, drop }: ResponseShape): OutputNode {
  if (map === undefined && pick === undefined && drop === undefined) return node;
  const members = new Map<string, OutputNode>();
  if (pick !== undefined || drop !== undefined) {
    for (const [name, member] of node.members()) {
      if ((pick?.includes(name) ?? true) && !drop?.includes(name)) members.set(name, member);
    }
  }
  for (const [name, path] of Object.entries(map ?? {})) members.set(name, nodeAtPath(node, path));
  return { ...node, members: () => members };
}

/** `depth` is how many levels of members may still follow. */
function relaxed(node: OutputNode, depth: number): JsonSchema {
  const isOpen = node.types.size === 0;
  const items = node.types.has('array') ? node.items() : undefined;
  return {
    ...(!isOpen && typesSchema(node.types)),
    ...((isOpen || node.types.has('object')) && membersSchema(node, depth)),
    ...(items && itemsSchema(items, depth)),
  };
}

/** Beside other texts, those of digits need no word. */
function typesSchema(types: ReadonlySet<string>): JsonSchema {
  const isOnlyDigits = types.has(digitsType) && !types.has('string');
  const named = [...types].map((type) => (type === digitsType ? 'string' : type));
  const type = [...new Set([...named, 'null'])];
  return isOnlyDigits ? { type, pattern: longDigits } : { type };
}

function membersSchema(node: OutputNode, depth: number): JsonSchema {
  if (depth < 1) return {};
  const members = [...node.members()].map(([name, member]) => [
    name,
    // Official clients read such a member of every object, and refuse answers that lack it.
    name in Object.prototype ? {} : relaxed(member, depth - 1),
  ]);
  return members.length === 0 ? {} : { properties: Object.fromEntries(members) };
}

function itemsSchema(items: OutputNode, depth: number): JsonSchema {
  if (depth < 1) return {};
  const schema = relaxed(items, depth - 1);
  return Object.keys(schema).length === 0 ? {} : { items: schema };
}
