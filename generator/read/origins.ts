import { formatPointer } from './json-pointer.ts';
import type { ParsedFile } from './parsed-file.ts';

/** The place in a file that a node comes from. */
export interface Origin {
  readonly file: ParsedFile;
  /** JSON pointer into that file. */
  readonly pointer: string;
}

/**
 * Where the nodes of one document come from. A node stands where its parent stands, one step
 * further, unless it was brought there from elsewhere: only such nodes are recorded.
 */
export interface Origins {
  /** Record that what stands at `key` of `parent` was written at `origin`. */
  set(parent: object, key: string | number, origin: Origin): void;
  /** Where the node at `path` was written; where nothing stands, where it would stand. */
  at(path: Path): Origin;
  /** The same, with the nodes on the way to it that stand in the same file, outermost first. */
  trace(path: Path): { readonly origin: Origin; readonly nodes: readonly unknown[] };
  /** Whether everything still stands where it was read. */
  readonly untouched: boolean;
  /** Take an entry out of a list; the later ones keep their origins. */
  removeItem(list: unknown[], path: Path, index: number): void;
}

/** Steps from the root of a document to a node. */
export type Path = readonly (string | number)[];

/** Start recording for a document whose root was read from `file`. */
export function createOrigins(root: object, file: ParsedFile): Origins {
  const moved = new WeakMap<object, Map<string, Origin>>();
  let untouched = true;

  function set(parent: object, key: string | number, origin: Origin): void {
    untouched = false;
    let keys = moved.get(parent);
    if (keys === undefined) {
      keys = new Map();
      moved.set(parent, keys);
    }
    keys.set(String(key), origin);
  }

  function trace(path: Path) {
    let base: Origin = { file, pointer: '' };
    let rest: (string | number)[] = [];
    let node: unknown = root;
    let nodes: unknown[] = [root];
    for (const step of path) {
      const isNode = typeof node === 'object' && node !== null;
      const origin = isNode ? moved.get(node as object)?.get(String(step)) : undefined;
      if (origin === undefined) rest.push(step);
      else {
        base = origin;
        rest = [];
        nodes = [];
      }
      node = isNode ? (node as Record<string | number, unknown>)[step] : undefined;
      nodes.push(node);
    }
    return { origin: rest.length === 0 ? base : within(base, rest), nodes };
  }

  function at(path: Path): Origin {
    return trace(path).origin;
  }

  function removeItem(list: unknown[], path: Path, index: number): void {
    const later = list.map((_, each) => (each > index ? at([...path, each]) : undefined));
    list.splice(index, 1);
    later.forEach((origin, each) => {
      if (origin !== undefined) set(list, each - 1, origin);
    });
  }

  return {
    set,
    at,
    trace,
    removeItem,
    get untouched() {
      return untouched;
    },
  };
}

/** The origin some steps further down. */
export function within({ file, pointer }: Origin, steps: Path): Origin {
  return { file, pointer: pointer + formatPointer(steps) };
}
