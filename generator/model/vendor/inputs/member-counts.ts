import type { JsonSchema } from '#contract/json';
import type { BodyMember } from './body-members.ts';

/** Rules over more combinations of arguments than this say less than they cost. */
const mostCombinations = 64;

/**
 * How many members a body has at least (`minProperties`), said of the arguments that fill them:
 * beside them stand arguments that are no part of the body.
 */
export function leastMembers(
  least: unknown,
  members: readonly BodyMember[],
): readonly JsonSchema[] {
  const { names, always } = presence(members);
  const wanted = typeof least === 'number' ? least - always : 0;
  if (wanted <= 0) return [];
  if (wanted > names.length) return [{ not: {} }];
  const sets = combinations(names, wanted);
  return sets === undefined ? [] : [{ anyOf: sets.map((required) => ({ required })) }];
}

/** The same for how many it has at most (`maxProperties`). */
export function mostMembers(most: unknown, members: readonly BodyMember[]): readonly JsonSchema[] {
  if (typeof most !== 'number') return [];
  const { names, always } = presence(members);
  const allowed = most - always;
  if (allowed < 0) return [{ not: {} }];
  if (allowed >= names.length) return [];
  const sets = combinations(names, allowed + 1);
  if (sets === undefined) return [];
  return [{ not: { anyOf: sets.map((required) => ({ required })) } }];
}

function presence(members: readonly BodyMember[]) {
  const names = members.flatMap(({ name, sent }) =>
    name !== undefined && sent === 'if given' ? [name] : [],
  );
  return { names, always: members.filter(({ sent }) => sent === 'always').length };
}

/** Every choice of so many names; nothing where there are too many choices. */
function combinations(names: readonly string[], size: number): string[][] | undefined {
  let sets: string[][] = [[]];
  for (const name of names) {
    const grown = sets.filter((set) => set.length < size).map((set) => [...set, name]);
    sets = [...sets, ...grown];
    if (sets.length > mostCombinations * 4) return undefined;
  }
  const complete = sets.filter((set) => set.length === size);
  return complete.length > mostCombinations ? undefined : complete;
}
