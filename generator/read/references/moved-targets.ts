import { isReference, type Node, type Reference } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { escapeStep, lookUp, parsePointer } from '../text/json-pointer.ts';

/** A reference and the node that it led to before the document was changed. */
export interface PinnedReference {
  readonly node: Reference;
  readonly target: unknown;
}

/** Let references lead again to the nodes that they led to before, wherever those stand now. */
export function followMovedTargets(
  { root }: WorkingDocument,
  references: readonly PinnedReference[],
): void {
  const lost = references.flatMap(({ node, target }) => {
    const holder = holderOf(node);
    const isThere = !holder || lookUp(root, parsePointer(holder.$ref.slice(1))) === target;
    return isThere ? [] : [{ node: holder, target }];
  });
  if (lost.length === 0) return;
  const pointers = pointersOf(root, new Set(lost.map(({ target }) => target)));
  for (const { node, target } of lost) {
    const pointer = pointers.get(target);
    if (pointer !== undefined) node.$ref = `#${pointer}`;
  }
}

/** Where the reference stands now: beside null, one that is `nullable` is an alternative. */
function holderOf(node: Node): Reference | undefined {
  if (isReference(node)) return node;
  const { anyOf } = node;
  return Array.isArray(anyOf) ? anyOf.find(isReference) : undefined;
}

function pointersOf(root: unknown, wanted: ReadonlySet<unknown>): Map<unknown, string> {
  const found = new Map<unknown, string>();
  const seen = new Set<unknown>();
  const search = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (wanted.has(value)) found.set(value, pointer);
    for (const [key, member] of Object.entries(value)) {
      search(member, `${pointer}/${escapeStep(key)}`);
    }
  };
  search(root, '');
  return found;
}
