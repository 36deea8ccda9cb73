import { isObject } from '#contract/json';

/** Of so many members of a value each is changed. */
const mostMembers = 12;

/** Other values for one place: of other types, and at the ends of what schemas allow. */
const others: readonly unknown[] = [null, true, 'x', '', -1, 0.5, 1_000_000, [], {}];

/** The value with one thing about it changed: a member left out, or another value in its place. */
export function* changedValues(
  value: Record<string, unknown>,
  isSure: (name: string) => boolean,
): Generator<Record<string, unknown>> {
  for (const name of Object.keys(value).slice(0, mostMembers)) {
    const { [name]: own, ...rest } = value;
    yield rest;
    // What only some alternatives describe may be anything to the others; a tool takes what is described.
    if (!isSure(name)) continue;
    for (const other of others) yield { ...value, [name]: other };
    if (isObject(own)) {
      for (const inner of changedOnce(own)) yield { ...value, [name]: inner };
    }
    if (Array.isArray(own)) yield { ...value, [name]: [...own, ...own] };
  }
}

/** The same one level deeper, where fewer values tell as much. */
function* changedOnce(value: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const name of Object.keys(value).slice(0, mostMembers)) {
    const { [name]: _, ...rest } = value;
    yield rest;
    for (const other of [null, 'x', -1]) yield { ...value, [name]: other };
  }
}
