import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Node } from '../document/walk.ts';
import { type Origin, type Origins, within } from '../text/origins.ts';

/** Two values that cannot be merged, and where in the update that is. */
export class MergeConflict extends Error {
  readonly steps: readonly string[];

  constructor(message: string, steps: readonly string[]) {
    super(message);
    this.name = 'MergeConflict';
    this.steps = steps;
  }
}

/** What is merged, and where it was written. */
export interface Update {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * Merge an update into the value at `key` of `parent` (Overlay 1.1.0, Action Object: `update`):
 * objects recursively, lists by appending, everything else by replacing.
 *
 * @throws MergeConflict
 */
export function mergeAt(
  origins: Origins,
  parent: Node,
  key: string | number,
  update: Update,
  steps: readonly string[] = [],
): void {
  const current = parent[key];
  const { value } = update;
  if (current === undefined) {
    put(origins, parent, key, update);
  } else if (kindOf(current) !== kindOf(value)) {
    const message = `${kindOf(value)} cannot be merged into ${kindOf(current)}`;
    throw new MergeConflict(message, steps);
  } else if (isObject(current) && isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const origin = within(update.origin, [name]);
      mergeAt(origins, current, name, { value: inner, origin }, [...steps, name]);
    }
  } else if (Array.isArray(current) && Array.isArray(value)) {
    append(origins, current, update, value);
  } else {
    put(origins, parent, key, update);
  }
}

/** Append the items of a list. */
export function append(
  origins: Origins,
  list: unknown[],
  update: Update,
  items: readonly unknown[],
): void {
  for (const [index, value] of items.entries()) {
    const origin = within(update.origin, [index]);
    put(origins, list as unknown as Node, list.length, { value, origin });
  }
}

/** Append one item to a list. */
export function appendItem(origins: Origins, list: unknown[], update: Update): void {
  put(origins, list as unknown as Node, list.length, update);
}

/** Name the kinds of values that an overlay tells apart. */
export function kindOf(value: unknown): 'an object' | 'a list' | 'a plain value' {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : 'a plain value';
}

function put(
  origins: Origins,
  parent: Node,
  key: string | number,
  { value, origin }: Update,
): void {
  parent[key] = copyOf(value);
  origins.set(parent, key, origin);
}

/** One update may go to many places, and each of them is changed by itself later. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: Node = bareMap();
  for (const [key, member] of Object.entries(value)) copy[key] = copyOf(member);
  return copy;
}
