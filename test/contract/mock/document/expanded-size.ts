import { isObject } from '#contract/json';
import { referencesFrom } from './other-files.ts';

/**
 * Whether a document has more objects and lists than this once every reference is written out, those
 * into other files too, but for those to what a place already stands in: schemas that lead to each other
 * make that exponential.
 */
export function expandsBeyond(root: object, most: number, file = ''): boolean {
  let count = 0;
  const open = new Set<unknown>();
  const follow = referencesFrom(root, file);
  const visit = (node: unknown, from: string): boolean => {
    const reference = isObject(node) ? node['$ref'] : undefined;
    const isLink = typeof reference === 'string';
    const { node: found, file: into = from } =
      (isLink ? follow(reference, from) : { node, file: from }) ?? {};
    if (typeof found !== 'object' || found === null || open.has(found)) return false;
    if (++count > most) return true;
    open.add(found);
    const isBeyond = Object.values(found).some((each) => visit(each, into));
    open.delete(found);
    return isBeyond;
  };
  return visit(root, file);
}
