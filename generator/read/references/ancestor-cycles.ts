import { isReference, type Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { LocalReference } from './bundle.ts';

/**
 * Report schemas that are made of themselves: a chain of `allOf` that comes back to its beginning
 * has no value that ends it. The link that closes the chain is cut.
 */
export function cutAncestorCycles(
  document: WorkingDocument,
  references: readonly LocalReference[],
  targetOf: (ref: string) => unknown,
): void {
  for (const { node, path } of references) {
    if (path.at(-2) !== 'allOf' || !leadsBack(node, targetOf)) continue;
    const message = `$ref "${node.$ref}" makes a schema a part of itself`;
    report(document, 'SPEC008', [...path, '$ref'], message);
    delete (node as Node)['$ref'];
  }
}

function leadsBack(start: Node, targetOf: (ref: string) => unknown): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = ancestorsOf(start, targetOf);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === start) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    pending.push(...ancestorsOf(node, targetOf));
  }
  return false;
}

/** The schemas that a value of this one must match as well. */
function ancestorsOf(schema: unknown, targetOf: (ref: string) => unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { allOf } = schema as Node;
  const own = Array.isArray(allOf) ? allOf : [];
  return isReference(schema) ? [targetOf(schema.$ref), ...own] : own;
}
