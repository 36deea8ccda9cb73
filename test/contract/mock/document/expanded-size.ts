import { isObject } from '#contract/json';
import { referencesFrom } from './other-files.ts';

/** An object or a list, or what the reference in its place leads to. */
interface Stand {
  /** Undefined where a reference leads to none. */
  readonly found: object | undefined;
  /** What stands in it, but for texts and the like. */
  readonly parts: readonly object[];
  readonly file: string;
}

/**
 * Whether a document has more objects and lists than this once every reference is written out, those
 * into other files too, but for those to what a place already stands in: schemas that lead to each other
 * make that exponential.
 */
export function expandsBeyond(root: object, most: number, file = ''): boolean {
  let count = 0;
  const open = new Set<object>();
  const look = standsIn(root, file);
  const visit = (node: object, from: string): boolean => {
    const { found, parts, file: into } = look(node, from);
    if (found === undefined || open.has(found)) return false;
    if (++count > most) return true;
    open.add(found);
    for (const part of parts) if (visit(part, into)) return true;
    open.delete(found);
    return false;
  };
  return visit(root, file);
}

/** Looks at each place once: there are few, and whoever counts millions comes to them often. */
function standsIn(root: object, file: string): (node: object, from: string) => Stand {
  const follow = referencesFrom(root, file);
  const known = new Map<object, Stand>();
  const find = (node: object, from: string): Stand => {
    const reference = isObject(node) ? node['$ref'] : undefined;
    const isLink = typeof reference === 'string';
    const place = isLink ? follow(reference, from) : { node, file: from };
    const found = isContainer(place?.node) ? place.node : undefined;
    const parts = Object.values(found ?? {}).filter(isContainer);
    return { found, parts, file: place?.file ?? from };
  };
  return (node, from) => {
    const stand = known.get(node) ?? find(node, from);
    known.set(node, stand);
    return stand;
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
