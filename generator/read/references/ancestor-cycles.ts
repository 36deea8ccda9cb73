import { isReference, type Node } from '../document/walk.ts';
import { lose, report, type WorkingDocument } from '../document/working-document.ts';
import type { LocalReference } from './bundle.ts';

/**
 * Report schemas that are made of themselves: a chain of `allOf` that comes back to its beginning
 * has no value that ends it. The link that closes the chain is cut.
 */
export function cutAncestorCycles(
  document: WorkingDocument,
  references: readonly LocalReference[],
  targetOf: (ref: string) => unknown,
): void {
  const ending = new Set<unknown>();
  for (const { node, path } of references) {
    if (path.at(-2) !== 'allOf' || !leadsBack(node, targetOf, ending)) continue;
    const message = `$ref "${node.$ref}" makes a schema a part of itself`;
    const at = [...path, '$ref'];
    lose(document, at, report(document, 'SPEC008', at, message));
    delete (node as Node)['$ref'];
  }
}

/**
 * Whether a schema is among those that it must match.
 *
 * @param ending schemas from which no chain comes back to its beginning, as far as earlier searches know
 */
function leadsBack(
  start: unknown,
  targetOf: (ref: string) => unknown,
  ending: Set<unknown>,
): boolean {
  const seen = new Set([start]);
  const chain = [linkOf(start, targetOf)];
  for (let link = chain.at(-1); link !== undefined; link = chain.at(-1)) {
    const { done, value } = link.rest.next();
    if (done) {
      if (link.ancestors.every((ancestor) => ending.has(ancestor))) ending.add(link.schema);
      chain.pop();
    } else if (value === start) {
      return true;
    } else if (!seen.has(value) && !ending.has(value)) {
      seen.add(value);
      chain.push(linkOf(value, targetOf));
    }
  }
  return false;
}

function linkOf(schema: unknown, targetOf: (ref: string) => unknown) {
  const ancestors = ancestorsOf(schema, targetOf);
  return { schema, ancestors, rest: ancestors.values() };
}

/** The schemas that a value of this one must match as well. */
function ancestorsOf(schema: unknown, targetOf: (ref: string) => unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { allOf } = schema as Node;
  const own = Array.isArray(allOf) ? allOf : [];
  return isReference(schema) ? [targetOf(schema.$ref), ...own] : own;
}
