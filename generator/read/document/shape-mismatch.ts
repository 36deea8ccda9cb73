import { isObject } from '#contract/json';
import type { Shape } from '../grammar/shape.ts';
import type { Path } from '../text/origins.ts';

/** What is wrong with a value in itself, whatever it holds; `undefined` when nothing is. */
export function mismatch(shape: Shape, value: unknown): string | undefined {
  const expected = expectation(shape, value);
  return expected === undefined ? undefined : `must be ${expected}, but it is ${shown(value)}`;
}

function expectation(shape: Shape, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'any':
    case 'oneOrMany':
      return undefined;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'string':
      return textExpectation(shape, value);
    case 'number':
      return numberExpectation(shape, value);
    case 'list':
      return Array.isArray(value) ? undefined : 'a list';
    case 'map':
      return isObject(value) ? undefined : 'a map';
    case 'object':
      if (isObject(value) || (shape.orBoolean === true && typeof value === 'boolean')) return;
      return shape.orBoolean === true ? 'a map, true or false' : 'a map';
  }
}

function textExpectation(shape: Shape & { kind: 'string' }, value: unknown): string | undefined {
  const { values, pattern } = shape;
  if (typeof value !== 'string') return values === undefined ? 'a string' : anyOf(values);
  if (values !== undefined && !values.includes(value)) return anyOf(values);
  if (pattern !== undefined && !pattern.test.test(value)) return pattern.says;
  return undefined;
}

function numberExpectation(shape: Shape & { kind: 'number' }, value: unknown): string | undefined {
  const { whole, atLeast, above } = shape;
  if (typeof value !== 'number') return whole === true ? 'a whole number' : 'a number';
  if (whole === true && !Number.isInteger(value)) return 'a whole number';
  if (atLeast !== undefined && value < atLeast) return `a number of at least ${atLeast}`;
  if (above !== undefined && value <= above) return `a number above ${above}`;
  return undefined;
}

function anyOf(values: readonly string[]): string {
  return values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`;
}

/** Name the node at `path` for a message. */
export function label(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the document';
  return typeof last === 'string' ? `"${last}"` : `item ${last} of "${path.at(-2)}"`;
}

/** Show a value in a few words. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return typeof value['$ref'] === 'string' ? 'a $ref' : 'a map';
  const text = JSON.stringify(value);
  return `the ${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}
