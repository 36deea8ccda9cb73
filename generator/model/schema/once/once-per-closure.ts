import type { JsonSchema } from '#contract/json';
import { localTarget } from '#contract/schema/local-reference';

interface Known<Found> {
  /** What each reference led to that was followed. */
  readonly targets: ReadonlyMap<unknown, unknown>;
  readonly found: Found;
}

/**
 * A look at a part of a schema and at what references lead to from there. It is taken once for all
 * roots in which they lead to the same: the definitions of one description are those of many tools.
 */
export function oncePerClosure<Given extends object, Found>(
  look: (given: Given, targetOf: (reference: unknown) => unknown) => Found,
): (given: Given, root: JsonSchema) => Found {
  const known = new WeakMap<Given, Known<Found>>();
  return (given, root) => {
    const before = known.get(given);
    if (before !== undefined && leadsTo(before.targets, root)) return before.found;
    const targets = new Map<unknown, unknown>();
    const found = look(given, (reference) => {
      const target = localTarget(root, reference);
      targets.set(reference, target);
      return target;
    });
    known.set(given, { targets, found });
    return found;
  };
}

function leadsTo(targets: ReadonlyMap<unknown, unknown>, root: JsonSchema): boolean {
  for (const [reference, target] of targets) {
    if (localTarget(root, reference) !== target) return false;
  }
  return true;
}
