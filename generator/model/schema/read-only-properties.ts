import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from './api-operations.ts';

const none: ReadonlySet<string> = new Set();

/** Finds the properties that only stand in answers. */
export class ReadOnlyProperties {
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** The names of a schema's read-only properties, those of its `allOf` members included. */
  of(node: Record<string, unknown>, seen = new Set<unknown>()): ReadonlySet<string> {
    if (seen.has(node) || seen.size > deepestComposition) return none;
    seen.add(node);
    const own = Object.entries(isObject(node['properties']) ? node['properties'] : {})
      .filter(([, value]) => this.includes(value))
      .map(([name]) => name);
    const inherited = listOf(node['allOf']).flatMap((member) => [
      ...this.of(resolve(this.#document, { node: member, pointer: '' }).node, seen),
    ]);
    return own.length + inherited.length === 0 ? none : new Set([...own, ...inherited]);
  }

  /** Whether a property is read-only by itself or by what it refers to. */
  includes(node: unknown): boolean {
    if (!isObject(node)) return false;
    if (node['readOnly'] === true) return true;
    if (node['$ref'] === undefined) return false;
    return resolve(this.#document, { node, pointer: '' }).node['readOnly'] === true;
  }
}
