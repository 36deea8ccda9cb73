import type { Told } from './drift-change.ts';
import { type Finding, pathOf, type Step } from './schema/finding.ts';

const kinds = {
  narrowed: 'narrowed',
  widened: 'widened',
  noted: 'altered',
  deprecated: 'deprecated',
  unread: 'unread',
} as const;

/** A finding in words; `within` is what holds the schema. */
export function toldOf(
  { effect, steps, text, pointer, at }: Finding,
  within: readonly Step[],
  whole = 'the whole',
): Told {
  const path = pathOf([...within, ...steps]);
  const told = `${path === '' ? whole : path} ${text}`;
  const breaks = effect === 'narrowed';
  return { kind: kinds[effect], text: told, pointer, breaks, ...(at && { at }) };
}
