import { closest, distance } from 'fastest-levenshtein';

const mostListed = 12;

/** `it has: a, b; did you mean "b"?` */
export function suggestion(wanted: string, known: readonly string[]): string {
  if (known.length === 0) return 'it has none';
  const listed = known.slice(0, mostListed).join(', ');
  const rest = known.length > mostListed ? ` and ${known.length - mostListed} more` : '';
  const nearest = nearestOf(wanted, known);
  return `it has: ${listed}${rest}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

/** The name that was probably meant. */
export function nearestOf(wanted: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const names = known.map((name) => name.toLowerCase());
  const text = wanted.toLowerCase();
  const containing = names.findIndex((name) => name.includes(text));
  if (containing >= 0 && text.length > 2) return known[containing];
  const nearest = closest(text, names);
  const limit = Math.max(2, Math.ceil(Math.max(text.length, nearest.length) * 0.6));
  return distance(text, nearest) <= limit ? known[names.indexOf(nearest)] : undefined;
}
