import { isListItself, type ResponseShape } from '#contract/tool';
import type { Digest } from '../digest/digest.ts';

const words = {
  array: 'a list',
  empty: 'empty',
  null: 'null',
  object: 'an object',
  scalar: 'a single value',
};

type Form = keyof typeof words;

/**
 * `the answer is null instead of an object`: what is wrong with an answer as a whole, which its
 * result does not show, because results are objects and all of their fields may be missing.
 */
export function oddForm(decoded: Digest, shape: ResponseShape = {}): string | undefined {
  const { decode = 'json', anyForm, linkOnly } = shape;
  if (decode !== 'json' || anyForm || linkOnly) return undefined;
  const wanted: Form = isListItself(shape) ? 'array' : 'object';
  const came = formOf(decoded);
  if (came === undefined || came === wanted) return undefined;
  return `the answer is ${words[came]} instead of ${words[wanted]}`;
}

/** `undefined` where it is no JSON, or has been cut down to a result already. */
function formOf(decoded: Digest): Form | undefined {
  if (decoded.kind === 'empty') return 'empty';
  if (decoded.kind === 'fitted') return decoded.isList && 'array';
  if (decoded.kind !== 'value') return undefined;
  const { value } = decoded;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : 'scalar';
}
