import { isObject } from '../json.ts';
import { fragmentSteps } from './pointer-steps.ts';
import { subschemas } from './subschemas.ts';

/**
 * What a reference leads to within the same schema (2020-12 core, 8.2): by pointer or by anchor.
 * Gives nothing where it leads nowhere or to another document, for none is ever read.
 */
export function localTarget(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const fragment = reference.slice(1);
  if (fragment === '') return root;
  const target = fragment.startsWith('/') ? atPointer(root, fragment) : atAnchor(root, fragment);
  return isObject(target) || typeof target === 'boolean' ? target : undefined;
}

function atPointer(root: unknown, pointer: string): unknown {
  let current = root;
  for (const name of fragmentSteps(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) {
      return undefined;
    }
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

function atAnchor(root: unknown, anchor: string): unknown {
  const queue: unknown[] = [root];
  for (const schema of queue) {
    if (isObject(schema) && schema['$anchor'] === anchor) return schema;
    for (const inner of subschemas(schema)) queue.push(inner.schema);
  }
  return undefined;
}
