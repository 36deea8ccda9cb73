import { lookUp, parsePointer } from './json-pointer.ts';
import { isReference, type Node } from './walk.ts';

/** Follow local references until something that is none; `undefined` where they lead nowhere. */
export function follow(root: Node, value: unknown): unknown {
  let current = value;
  for (let links = 0; isReference(current); links++) {
    if (links > 100 || !current.$ref.startsWith('#')) return undefined;
    current = lookUp(root, parsePointer(current.$ref.slice(1)));
  }
  return current;
}
