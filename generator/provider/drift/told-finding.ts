import type { Told } from './drift-change.ts';
import { type Finding, pathOf, type Step } from './schema/finding.ts';

const kinds = {
  narrowed: 'narrowed',
  widened: 'widened',
  noted: 'altered',
  deprecated: 'deprecated',
} as const;

/** A finding in words; `within` is what holds the schema. */
export function toldOf(
  { effect, steps, text, pointer }: Finding,
  within: readonly Step[],
  whole = 'the whole',
): Told {
  const path = pathOf([...within, ...steps]);
  const told = `${path === '' ? whole : path} ${text}`;
  return { kind: kinds[effect], text: told, pointer, breaks: effect === 'narrowed' };
}
