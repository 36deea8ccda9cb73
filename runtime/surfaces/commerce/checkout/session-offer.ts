import type { Operation } from '#contract/operation';
import { cardCharge } from '../card/card-charge.ts';
import type { Accepted } from '../offers/accepted.ts';
import { type Offer, offerOf } from '../offers/offer.ts';
import { decimal } from './lines.ts';
import type { SeenSession } from './seen-session.ts';
import { type Way, ways } from './ways.ts';

/** How all of a session can be paid together; nothing where it cannot. */
export function offerFor(
  { lines, total }: Pick<SeenSession, 'lines' | 'total'>,
  operation: Operation,
  accepted: Accepted,
): Offer | undefined {
  const amount = decimal(total);
  const confirmations = Math.max(0, ...lines.map((line) => line.confirmations ?? 0));
  const isAllowed = (way: Way) => lines.every(({ rails }) => rails?.includes(way) ?? true);
  const price = { amount, currency: 'USD', ...(confirmations > 0 && { confirmations }) } as const;
  const isTaken: Readonly<Record<Way, boolean>> = {
    card: typeof cardCharge(price, accepted.card) === 'object',
    x402: accepted.chain.isPayable,
  };
  const rails = ways.filter((way) => isAllowed(way) && isTaken[way]);
  if (total === 0 || rails.length === 0) return undefined;
  return offerOf(operation, { ...price, rails }, accepted);
}
