import { formatPointer } from './json-pointer.ts';
import type { ParsedFile } from './parsed-file.ts';

/** The place in a file that a node comes from. */
export interface Origin {
  readonly file: ParsedFile;
  /** JSON pointer into that file. */
  readonly pointer: string;
}

/** Steps from the root of a document to a node. */
export type Path = readonly (string | number)[];

/**
 * Where the nodes of one document come from. A node stands where its parent stands, one step
 * further, unless it was brought there from elsewhere: only such nodes are recorded.
 */
export class Origins {
  readonly #root: object;
  readonly #file: ParsedFile;
  readonly #moved = new WeakMap<object, Map<string, Origin>>();
  /** Whether everything still stands where it was read. */
  untouched = true;

  constructor(root: object, file: ParsedFile) {
    this.#root = root;
    this.#file = file;
  }

  /** Record that what stands at `key` of `parent` was written at `origin`. */
  set(parent: object, key: string | number, origin: Origin): void {
    this.untouched = false;
    let keys = this.#moved.get(parent);
    if (keys === undefined) {
      keys = new Map();
      this.#moved.set(parent, keys);
    }
    keys.set(String(key), origin);
  }

  /** Where the node at `path` was written; where nothing stands, where it would stand. */
  at(path: Path): Origin {
    return this.trace(path).origin;
  }

  /** The same, with the nodes on the way to it that stand in the same file, outermost first. */
  trace(path: Path): { readonly origin: Origin; readonly nodes: readonly unknown[] } {
    let base: Origin = { file: this.#file, pointer: '' };
    let rest: (string | number)[] = [];
    let node: unknown = this.#root;
    let nodes: unknown[] = [node];
    for (const step of path) {
      const isNode = typeof node === 'object' && node !== null;
      const origin = isNode ? this.#moved.get(node as object)?.get(String(step)) : undefined;
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

  /** Take an entry out of a list; the later ones keep their origins. */
  removeItem(list: unknown[], path: Path, index: number): void {
    const later = list.map((_, each) => (each > index ? this.at([...path, each]) : undefined));
    list.splice(index, 1);
    later.forEach((origin, each) => {
      if (origin !== undefined) this.set(list, each - 1, origin);
    });
  }
}

/** The origin some steps further down. */
export function within({ file, pointer }: Origin, steps: Path): Origin {
  return { file, pointer: pointer + formatPointer(steps) };
}
