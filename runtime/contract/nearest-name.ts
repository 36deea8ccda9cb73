import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: the cost grows with the product of both lengths. */
const longest = 128;

/** A shorter text is part of too many names to mean one of them. */
const shortestPart = 3;

/**
 * The member of `known` that `name` was perhaps meant to be, in whatever case: one that is almost
 * the same, else the shortest one that holds it, else one that is similar. Nothing when none is.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longest) return undefined;
  const wanted = name.toLowerCase();
  const similar = Math.max(2, Math.ceil(name.length * 0.4));
  let nearest: string | undefined;
  let least = similar + 1;
  let holding: string | undefined;
  for (const candidate of known) {
    const text = candidate.toLowerCase();
    if (wanted.length >= shortestPart && text.includes(wanted)) {
      if (holding === undefined || candidate.length < holding.length) holding = candidate;
    }
    if (Math.abs(text.length - wanted.length) >= least) continue;
    const steps = distance(wanted, text);
    if (steps >= least || steps >= wanted.length) continue;
    nearest = candidate;
    least = steps;
  }
  const isSlip = least <= Math.max(1, Math.floor(name.length / 4));
  return isSlip ? nearest : (holding ?? nearest);
}

/** The members of `known` that are the least steps away from `name`, at most so many. */
export function nearestNames(name: string, known: Iterable<string>, most: number): string[] {
  const wanted = name.slice(0, longest).toLowerCase();
  const ranked = [...known].map((text) => ({
    text,
    steps: distance(wanted, text.slice(0, longest).toLowerCase()),
  }));
  const sorted = ranked.toSorted((a, b) => a.steps - b.steps);
  return sorted.slice(0, most).map(({ text }) => text);
}

/** The members of `known` that begin with the same word as `name` does, the nearest first, at most so many. */
export function namesOfSameStart(name: string, known: Iterable<string>, most: number): string[] {
  const start = firstWord(name);
  if (start.length < shortestPart) return [];
  const akin = [...known].filter((each) => firstWord(each) === start);
  return nearestNames(name, akin, most);
}

function firstWord(name: string): string {
  return /^[a-z0-9]*/.exec(name.slice(0, longest).toLowerCase())?.[0] ?? '';
}

/** The nearest one as the end of a sentence: `; did you mean "name"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
