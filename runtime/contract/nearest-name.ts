import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: the cost grows with the product of both lengths. */
const longest = 128;

/** The member of `known` that `name` was perhaps meant to be; nothing when none is close. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > longest) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(name.length * 0.4)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const steps = distance(wanted, candidate.toLowerCase());
    if (steps >= least) continue;
    best = candidate;
    least = steps;
  }
  return best;
}
