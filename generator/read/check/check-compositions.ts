import { isObject } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { type Subschema, subschemas } from '#contract/schema/subschemas';
import type { Follow } from '../document/targets.ts';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';

/** Real descriptions stay far below. */
const mostParts = 5000;
/** One within another; whatever puts them together goes down by one call within another. */
const mostDeep = 500;

/**
 * Finds schemas whose parts multiply by reference (each has the next one twice in its `allOf`, and so
 * on), and leaves them open: whatever puts such a schema together would never end.
 */
export class Compositions {
  readonly #document: WorkingDocument;
  readonly #follow: Follow;
  readonly #counts = new Map<Node, number>();
  readonly #large = new Set<Node>();

  constructor(document: WorkingDocument, follow: Follow) {
    this.#document = document;
    this.#follow = follow;
  }

  /** Look at one schema. */
  schema(node: Node, path: Path): void {
    this.#count(node);
    if (!this.#large.has(node)) return;
    const message = `$ref by $ref, more than ${mostParts} schemas say something of one value, or ${mostDeep} one within another: it is left open`;
    report(this.#document, 'SPEC003', path, message);
    for (const { keyword } of inPlace(node)) delete node[keyword];
  }

  /** How many schemas say something of a value of this one; those that it contains again are none. */
  #count(node: Node, depth = 0): number {
    const known = this.#counts.get(node);
    if (known !== undefined) return known;
    if (depth === mostDeep) {
      this.#large.add(node);
      this.#counts.set(node, 1);
      return 1;
    }
    this.#counts.set(node, 0);
    let count = 1;
    for (const { schema } of inPlace(node)) {
      const target = this.#follow(schema);
      if (isObject(target)) count += this.#count(target, depth + 1);
    }
    if (count > mostParts) this.#large.add(node);
    this.#counts.set(node, count > mostParts ? 1 : count);
    return this.#counts.get(node) ?? 1;
  }
}

function inPlace(node: Node): readonly Subschema[] {
  return subschemas(node).filter(({ keyword }) => keywords.get(keyword)?.inPlace);
}
