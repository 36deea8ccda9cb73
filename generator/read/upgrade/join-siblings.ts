import { keywordsWhere } from '#contract/schema/keywords';
import { bareMap } from '../document/bare-map.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import type { Origins, Path } from '../text/origins.ts';

/** Keywords that may stand beside a `$ref` without limiting what it leads to. */
const harmless = keywordsWhere(({ about }) => about === 'reader' || about === 'place');

/**
 * Let a `$ref` with siblings that limit values (2020-12 core, 8.2.3.1) be one of the parts of an
 * `allOf`, beside which they mean the same: whoever follows a reference then loses none of them.
 */
export function joinSiblings({ grammar, root, origins }: WorkingDocument): void {
  const found: { readonly node: Node; readonly path: Path }[] = [];
  walk(grammar, root, {
    reference(node, shape, { path }) {
      const isSchema = shape.kind === 'object' && shape.name === 'Schema';
      if (isSchema && hasLimits(node)) found.push({ node, path: [...path] });
      return node;
    },
  });
  for (const { node, path } of found) join(node, path, origins);
}

function hasLimits(node: Node): boolean {
  return Object.keys(node).some((key) => !harmless.has(key) && !key.startsWith('x-'));
}

function join(node: Node, path: Path, origins: Origins): void {
  if (!isReference(node)) return;
  const others: unknown[] = Array.isArray(node['allOf']) ? node['allOf'] : [];
  const from = others.map((_, index) => origins.at([...path, 'allOf', index]));
  const own = origins.at(path);
  const reference: Node = bareMap({ $ref: node.$ref });
  const allOf = [reference, ...others];
  for (const [index, origin] of [own, ...from].entries()) origins.set(allOf, index, origin);
  delete (node as Node)['$ref'];
  node['allOf'] = allOf;
  origins.set(node, 'allOf', own);
}
