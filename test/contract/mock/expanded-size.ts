import { isObject } from '#contract/json';
import { standingAt } from './closed-parts.ts';

/**
 * Whether a document has more objects and lists than this once every reference inside of it is written
 * out, but for those to what a place already stands in: schemas that lead to each other make
 * that exponential.
 */
export function expandsBeyond(root: object, most: number): boolean {
  let count = 0;
  const open = new Set<unknown>();
  const targets = new Map<string, unknown>();
  const target = (reference: string): unknown => {
    if (!targets.has(reference)) targets.set(reference, standingAt(root, reference.slice(1)));
    return targets.get(reference);
  };
  const visit = (node: unknown): boolean => {
    const reference = isObject(node) ? node['$ref'] : undefined;
    const isInner = typeof reference === 'string' && reference.startsWith('#/');
    const place = isInner ? target(reference) : node;
    if (typeof place !== 'object' || place === null || open.has(place)) return false;
    if (++count > most) return true;
    open.add(place);
    const isBeyond = Object.values(place).some(visit);
    open.delete(place);
    return isBeyond;
  };
  return visit(root);
}
