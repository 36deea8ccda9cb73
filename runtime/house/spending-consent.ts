import type { Price } from '#contract/operation';
import type { ScopeCatalogue } from '#contract/scope';

/** What callers hold who use what has a price, but for what is public. */
export const spendingScope = 'payments:spend';

/** Prices that one sentence names; more of them are told by their span. */
const mostNamed = 6;

/** The scopes, with what things cost in the sentence that a person consents to who lets an agent pay. */
export function withPrices(
  scopes: ScopeCatalogue,
  prices: Readonly<Record<string, Price>>,
): ScopeCatalogue {
  const scope = scopes[spendingScope];
  const told = toldPrices(prices);
  if (scope === undefined || told === undefined) return scopes;
  return { ...scopes, [spendingScope]: { ...scope, consent: `${scope.consent}: ${told}` } };
}

function toldPrices(prices: Readonly<Record<string, Price>>): string | undefined {
  const all = Object.entries(prices).map(([target, { amount, currency }]) => {
    return { name: target.replace(/^tool:/, ''), amount, currency };
  });
  if (all.length === 0) return undefined;
  const sorted = all.toSorted((one, other) => Number(other.amount) - Number(one.amount));
  const named = sorted
    .slice(0, mostNamed)
    .map(({ name, amount, currency }) => `${name} ${amount} ${currency}`);
  const [next] = sorted.slice(mostNamed);
  const rest = next && `and ${all.length - mostNamed} for ${next.amount} ${next.currency} or less`;
  return [...named, ...(rest ? [rest] : [])].join(', ');
}
