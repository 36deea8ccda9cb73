import type { JsonPath, JsonSchema } from '#contract/json';
import type { ResponseShape } from '#contract/tool';
import { nodeAtPath, type OutputNode, replacedAt, rowsNode } from './output-node.ts';

/** Members of members of members are open: deeper schemas cost more than they tell. */
const deepest = 3;

/** A schema that is still larger than this many characters is cut at a smaller depth. */
const largest = 3072;

/**
 * The schema of a shaped result. Every field is optional, nullable and open, because clients check
 * even error results against it; its root is an object. `followed` is what the items lead to.
 */
export function outputSchema(
  answer: OutputNode,
  shape: ResponseShape = {},
  followed?: OutputNode,
): JsonSchema {
  const rows = shape.rows ?? [];
  const node = rows.reduce((all, path) => replacedAt(all, path, rowsNode), answer);
  for (let depth = deepest; ; depth--) {
    const schema =
      shape.items === undefined
        ? wholeSchema(node, shape, depth)
        : listSchema(followed ?? itemOf(node, shape.items), shape, depth);
    if (depth === 1 || JSON.stringify(schema).length <= largest) return schema;
  }
}

function wholeSchema(node: OutputNode, shape: ResponseShape, depth: number): JsonSchema {
  return { type: 'object', ...membersSchema(shaped(node, shape), depth) };
}

function itemOf(node: OutputNode, items: JsonPath): OutputNode {
  const found = nodeAtPath(node, items);
  return found.items() ?? found;
}

function listSchema(node: OutputNode, shape: ResponseShape, depth: number): JsonSchema {
  const item = shaped(node, shape);
  return {
    type: 'object',
    properties: {
      items: { type: ['array', 'null'], ...itemsSchema(item, depth - 1) },
      next_cursor: { type: ['string', 'null'] },
      truncated: { type: ['boolean', 'null'] },
    },
  };
}

/** What `map`, `pick` and `drop` leave, as runtime/outbound/item-shape.ts does it. */
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
    ...(!isOpen && { type: [...node.types.union(new Set(['null']))] }),
    ...((isOpen || node.types.has('object')) && membersSchema(node, depth)),
    ...(items && itemsSchema(items, depth)),
  };
}

function membersSchema(node: OutputNode, depth: number): JsonSchema {
  if (depth < 1) return {};
  const members = [...node.members()].map(([name, member]) => [name, relaxed(member, depth - 1)]);
  return members.length === 0 ? {} : { properties: Object.fromEntries(members) };
}

function itemsSchema(items: OutputNode, depth: number): JsonSchema {
  if (depth < 1) return {};
  const schema = relaxed(items, depth - 1);
  return Object.keys(schema).length === 0 ? {} : { items: schema };
}
