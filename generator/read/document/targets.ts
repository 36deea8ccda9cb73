import { formatPointer, lookUp, parsePointer } from '../text/json-pointer.ts';
import { isReference, type Node, type Reference } from './walk.ts';

/** Gives what a node leads to: itself, or the end of its chain of references. */
export type Follow = (value: unknown) => unknown;

/** References that one pointer may pass through: more is a loop. */
const maxLinks = 100;

/** What the local references of a document lead to, looked up once each. */
export class Targets {
  readonly #root: Node;
  readonly #known = new Map<string, unknown>();
  readonly #cycles = new Map<unknown, readonly unknown[]>();

  constructor(root: Node) {
    this.#root = root;
  }

  /** The node that a reference leads to; the document as a whole is nothing to refer to. */
  of(ref: string): unknown {
    if (this.#known.has(ref)) return this.#known.get(ref);
    const target = ref === '#' ? undefined : lookUp(this.#root, parsePointer(ref.slice(1)));
    this.#known.set(ref, target);
    return target;
  }

  /**
   * The same reference without a detour: a pointer may pass through another reference on its way.
   * JSON Pointer knows no such thing, but many descriptions rely on tools that do.
   */
  direct(ref: string): string {
    if (this.of(ref) !== undefined) return ref;
    let steps = parsePointer(ref.slice(1));
    let node: unknown = this.#root;
    for (let index = 0, links = 0; index < steps.length && links < maxLinks; index++) {
      const next = lookUp(node, [steps[index] ?? '']);
      if (next !== undefined || !isReference(node)) node = next;
      else {
        steps = [...parsePointer(node.$ref.slice(1)), ...steps.slice(index)];
        node = this.#root;
        index = -1;
        links++;
      }
    }
    return node === undefined ? ref : `#${formatPointer(steps)}`;
  }

  /** The end of a node's chain of references; `undefined` where it has none. */
  end(value: unknown): unknown {
    let node = value;
    for (let links = 0; isReference(node) && links < maxLinks; links++) node = this.of(node.$ref);
    return isReference(node) ? undefined : node;
  }

  /** The chain of references that begins and ends at a node; empty when it ends elsewhere. */
  cycleOf(first: Reference): readonly unknown[] {
    const chain = new Set<unknown>();
    let node: unknown = first;
    for (; isReference(node) && !this.#cycles.has(node); node = this.of(node.$ref)) {
      if (chain.has(node)) break;
      chain.add(node);
    }
    const links = [...chain];
    const cycle = chain.has(node) ? links.slice(links.indexOf(node)) : [];
    // Each link is passed once, however long the chain is and wherever it is entered.
    for (const link of links) this.#cycles.set(link, []);
    for (const link of cycle) this.#cycles.set(link, cycle);
    return this.#cycles.get(first) ?? [];
  }
}
