import type { JsonPath } from '#contract/json';
import type { ResponseShape } from '#contract/tool';
import { nodeAtPath, type OutputNode } from './output-node.ts';

/** What a description tells of beside the list at `items`, and whether the list may be null. */
export function besideList(
  answer: OutputNode,
  items: JsonPath,
): Pick<ResponseShape, 'besides' | 'nullList'> {
  const besides = describedBeside(answer, items);
  const mayBeNull = items.length > 0 && nodeAtPath(answer, items).types.has('null');
  return { ...(besides.length > 0 && { besides }), ...(mayBeNull && { nullList: true }) };
}

function describedBeside(node: OutputNode, [step, ...rest]: JsonPath): JsonPath[] {
  if (typeof step !== 'string' || step === '*') return [];
  const members = node.members();
  const beside = [...members.keys()].filter((name) => name !== step).map((name) => [name]);
  const holder = members.get(step);
  const deeper = rest.length > 0 && holder ? describedBeside(holder, rest) : [];
  return [...beside, ...deeper.map((path) => [step, ...path])];
}
