/**
 * Join many into one by joining halves: what grows with each step is copied as often as there are halves of halves,
 * not once for each, and a chain of what is read later is no deeper than that.
 */
export function joinHalves<Part>(
  parts: readonly [Part, ...Part[]],
  join: (before: Part, part: Part) => Part,
): Part {
  const [first, second, ...rest] = parts;
  if (second === undefined) return first;
  if (rest.length === 0) return join(first, second);
  const [next = second, ...others] = parts.slice(Math.ceil(parts.length / 2));
  const before: readonly [Part, ...Part[]] = [
    first,
    ...parts.slice(1, Math.ceil(parts.length / 2)),
  ];
  return join(joinHalves(before, join), joinHalves([next, ...others], join));
}
