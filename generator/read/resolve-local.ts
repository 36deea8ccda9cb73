import { lookUp, parsePointer } from './json-pointer.ts';
import { isReference, type Node } from './walk.ts';

/** Gives what a node leads to: itself, or the end of its chain of references. */
export type Follow = (value: unknown) => unknown;

const longestChain = 100;

/** Follow local references in a document that does not change any more. */
export function follower(root: Node): Follow {
  const targets = new Map<string, unknown>();

  function targetOf(ref: string): unknown {
    if (targets.has(ref)) return targets.get(ref);
    const target = ref.startsWith('#') ? lookUp(root, parsePointer(ref.slice(1))) : undefined;
    targets.set(ref, target);
    return target;
  }

  return (value) => {
    let current = value;
    for (let links = 0; isReference(current) && links < longestChain; links++) {
      current = targetOf(current.$ref);
    }
    return isReference(current) ? undefined : current;
  };
}
