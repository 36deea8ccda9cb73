import assert from 'node:assert/strict';
import { isObject } from '#contract/json';

/**
 * An answer that has to be an object.
 *
 * @throws AssertionError with what it is instead
 */
export function objectOf(value: unknown): Record<string, unknown> {
  assert.ok(isObject(value), JSON.stringify(value));
  return value;
}
