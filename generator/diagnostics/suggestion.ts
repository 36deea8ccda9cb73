import { didYouMean } from '#contract/nearest-name';

const mostListed = 12;

/** `it has: a, b; did you mean "b"?` */
export function suggestion(wanted: string, known: readonly string[]): string {
  if (known.length === 0) return 'it has none';
  const listed = known.slice(0, mostListed).join(', ');
  const rest = known.length > mostListed ? ` and ${known.length - mostListed} more` : '';
  return `it has: ${listed}${rest}${didYouMean(wanted, known)}`;
}
