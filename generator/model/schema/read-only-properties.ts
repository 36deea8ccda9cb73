import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from './api-operations.ts';

const none: ReadonlySet<string> = new Set();

/** How comments of APIs that are made from gRPC say it, where nothing else does (AIP-203, output only). */
const saidOfAnswers = /^\W*output(?:[- ]only)?\.(?:\s|$)/i;

function isAnswered({ readOnly, description }: Readonly<Record<string, unknown>>): boolean {
  return (
    readOnly === true ||
    (readOnly === undefined && typeof description === 'string' && saidOfAnswers.test(description))
  );
}

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
    if (isAnswered(node)) return true;
    return (
      node['$ref'] !== undefined && isAnswered(resolve(this.#document, { node, pointer: '' }).node)
    );
  }
}
