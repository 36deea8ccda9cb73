import type { JsonSchema } from '#contract/json';
import type { BodyMember } from './body-members.ts';

/** Rules over more combinations of arguments than this say less than they cost. */
const mostCombinations = 64;

/** What a body consists of: the members that are named, and the argument that holds any others. */
export interface CountedBody {
  readonly members: readonly BodyMember[];
  readonly rest?: string | undefined;
}

/**
 * How many members a body has at least (`minProperties`), said of the arguments that fill them:
 * beside them stand arguments that are no part of the body.
 */
export function leastMembers(least: unknown, body: CountedBody): readonly JsonSchema[] {
  const { names, always } = presence(body);
  const wanted = typeof least === 'number' ? least - always : 0;
  if (wanted <= 0) return [];
  if (wanted > names.length && body.rest === undefined) return [{ not: {} }];
  const sets = setsOf(names, wanted, body.rest);
  return sets === undefined ? [] : [{ anyOf: sets }];
}

/** The same for how many it has at most (`maxProperties`). */
export function mostMembers(most: unknown, body: CountedBody): readonly JsonSchema[] {
  if (typeof most !== 'number') return [];
  const { names, always } = presence(body);
  const allowed = most - always;
  if (allowed < 0) return [{ not: {} }];
  if (allowed >= names.length && body.rest === undefined) return [];
  const sets = setsOf(names, allowed + 1, body.rest);
  return sets === undefined ? [] : [{ not: { anyOf: sets } }];
}

function presence({ members }: CountedBody) {
  const names = members.flatMap(({ name, sent }) =>
    name !== undefined && sent === 'if given' ? [name] : [],
  );
  return { names, always: members.filter(({ sent }) => sent === 'always').length };
}

/**
 * Every way in which there are so many members at least: that many that are named, or fewer and the rest
 * of them among the others. Nothing where there are too many ways.
 */
function setsOf(
  names: readonly string[],
  size: number,
  rest: string | undefined,
): JsonSchema[] | undefined {
  const least = rest === undefined ? size : 0;
  const found: JsonSchema[] = [];
  for (let named = Math.min(size, names.length); named >= least; named--) {
    const sets = combinations(names, named);
    if (sets === undefined || found.length + sets.length > mostCombinations) return undefined;
    for (const required of sets) found.push(withRest(required, size - named, rest));
  }
  return found;
}

function withRest(
  required: readonly string[],
  others: number,
  rest: string | undefined,
): JsonSchema {
  if (rest === undefined || others === 0) return { required };
  const properties = { [rest]: { minProperties: others } };
  return { required: [...required, rest], properties };
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
