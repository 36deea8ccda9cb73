import type { JsonSchema } from '#contract/json';
import type { ResponseShape } from '#contract/tool';
import { nodeAtPath, type OutputNode, replacedAt, rowsNode, unknownNode } from './output-node.ts';

/** Members of members of members are open: deeper schemas cost more than they tell. */
const deepest = 3;

/**
 * The schema of a shaped result. Every field is optional, nullable and open, because clients check
 * even error results against it; its root is an object.
 */
export function outputSchema(answer: OutputNode, shape: ResponseShape = {}): JsonSchema {
  const rows = shape.rows ?? [];
  const node = rows.reduce((all, path) => replacedAt(all, path, rowsNode), answer);
  if (shape.items === undefined) {
    const result = shaped(node, shape);
    return { type: 'object', ...membersSchema(result, 1) };
  }
  const found = nodeAtPath(node, shape.items);
  const item = shape.follow === undefined ? (found.items() ?? found) : unknownNode;
  return {
    type: 'object',
    properties: {
      items: { type: ['array', 'null'], items: relaxed(shaped(item, shape), 2) },
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

function relaxed(node: OutputNode, depth: number): JsonSchema {
  if (node.types.size === 0) return {};
  const type = [...node.types.union(new Set(['null']))];
  const items = node.types.has('array') && depth < deepest ? node.items() : undefined;
  return {
    type,
    ...(node.types.has('object') && membersSchema(node, depth + 1)),
    ...(items && itemsSchema(items, depth + 1)),
  };
}

function membersSchema(node: OutputNode, depth: number): JsonSchema {
  if (depth > deepest) return {};
  const members = [...node.members()].map(([name, member]) => [name, relaxed(member, depth)]);
  return members.length === 0 ? {} : { properties: Object.fromEntries(members) };
}

function itemsSchema(items: OutputNode, depth: number): JsonSchema {
  const schema = relaxed(items, depth);
  return Object.keys(schema).length === 0 ? {} : { items: schema };
}
