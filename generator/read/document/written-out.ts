import { isObject } from '#contract/json';
import { Targets } from './targets.ts';
import { isReference, type Node } from './walk.ts';

/** Other readers write every reference out, which takes them some microseconds for each node. */
const most = 2_000_000;
/** They compare each object of a list with each other one, which is so much faster. */
const comparedInTime = 20;
/** They go down by one call within another. */
const mostDeep = 1000;

/**
 * Whether a description has more nodes, or goes deeper, than others can read once its references are
 * written out. It has to be as it was written: others follow references too that are of no use here.
 */
export function isVastWrittenOut(root: Node): boolean {
  const targets = new Targets(root);
  const sizes = new Map<unknown, number>();
  const sizeOf = (value: unknown, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1;
    if (depth > mostDeep) return Infinity;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // What contains itself is not written out again.
    sizes.set(value, 1);
    const target = isReference(value) ? targets.of(value.$ref) : undefined;
    const size = Object.values(target ? [target] : value).reduce(
      (sum: number, member) => sum + sizeOf(member, depth + 1),
      1 + comparisons(value) / comparedInTime,
    );
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root, 0) > most;
}

/** Pairs of objects that a list has: those of tags and parameters have to differ. */
function comparisons(value: object): number {
  return Array.isArray(value) && isObject(value[0]) ? value.length ** 2 / 2 : 0;
}
