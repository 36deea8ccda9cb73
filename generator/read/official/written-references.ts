import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import { isReference, type Node, type Reference } from '../document/walk.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import { unproven } from './unproven.ts';

/** Pointers that all readers take alike: nothing in them is coded. */
const plainPointer = /^#(?:\/[\w.~-]+)+$/;
/** Half of how deep other readers follow references. */
const mostDeep = 250;
/** Words by which a part gives itself an address, from which other readers follow its references. */
const addressWords = ['$id', '__proto__'];

/** What the references of a description lead to as it is written, all of them looked up. */
export class WrittenReferences {
  readonly #root: Node;
  readonly #targets = new Map<Node, Node>();
  /** How deep each value is once its references are written out; below itself, until that is known. */
  readonly #heights = new Map<object, number>();

  /** @throws Unproven where another reader may not follow one, or not to where this one does */
  constructor(root: Node) {
    this.#root = root;
    this.#heightOf(root, 0);
  }

  /** What stands in the place of a reference when it is written out; nothing for what is none. */
  targetOf(node: Node): Node | undefined {
    return this.#targets.get(node);
  }

  #heightOf(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) return 0;
    if (depth > mostDeep) unproven('deep');
    const known = this.#heights.get(value);
    if (known !== undefined) return known;
    // What contains itself is not written out again.
    this.#heights.set(value, 0);
    let height = 0;
    if (isReference(value)) height = this.#heightOf(this.#look(value), depth + 1);
    else if (isObject(value)) {
      for (const word of addressWords) if (typeof value[word] === 'string') unproven(word);
      if ('$ref' in value) unproven('a reference of another kind');
      const { $schema: dialect } = value;
      if (typeof dialect === 'string' && dialect.includes('draft-04')) {
        unproven('addresses of draft 4');
      }
    }
    for (const key in value) {
      height = Math.max(height, this.#heightOf((value as Node)[key], depth + 1));
    }
    if (depth + height > mostDeep) unproven('deep');
    this.#heights.set(value, height + 1);
    return height + 1;
  }

  /** What stands in place of a reference; a link of a chain may have something beside it, too. */
  #look(reference: Reference, links = 0): Node {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    if (!plainPointer.test(reference.$ref) || links > mostDeep) unproven('reference');
    const target = lookUp(this.#root, parsePointer(reference.$ref.slice(1)));
    if (!isObject(target)) return unproven('target');
    const end = isReference(target) ? this.#look(target, links + 1) : target;
    const siblings = Object.keys(reference).filter((key) => key !== '$ref');
    const written = siblings.length === 0 ? end : merged(reference, siblings, end);
    this.#targets.set(reference, written);
    return written;
  }
}

/** What stands beside a reference comes before what it leads to. */
function merged(reference: Reference, siblings: readonly string[], target: Node): Node {
  const written: Node = bareMap(target);
  for (const key of siblings) {
    if (typeof reference[key] === 'object' && typeof target[key] === 'object') {
      unproven('parts to put together');
    }
    written[key] = reference[key];
  }
  return written;
}
