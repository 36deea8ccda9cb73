import type { Price } from '#contract/operation';
import { mostMinorUnits } from '../numbers.ts';
import { atomicAmount } from '../offers/atomic-amount.ts';
import type { CardSettings } from './card-settings.ts';
import { currencyOf } from './currencies.ts';

/** What is asked for by the method `stripe` with the intent `charge` (draft-stripe-charge-00). */
export interface CardCharge {
  /** In the smallest unit of the currency. */
  readonly amount: string;
  /** ISO 4217 in lower case. */
  readonly currency: string;
  readonly methodDetails: {
    readonly networkId: string;
    readonly paymentMethodTypes: readonly string[];
  };
}

/** Say how a price is paid by card, or why it cannot be. */
export function cardCharge(
  { card: own, ...price }: Price,
  card: CardSettings | undefined,
): CardCharge | string {
  if (card === undefined) return 'nothing here takes card: set SERVICE_CARD_SECRET_KEY';
  const { amount: text, currency } = own ?? price;
  const known = currencyOf(currency);
  if (known === undefined) return `cards are not charged in ${currency}`;
  const { decimals } = known;
  const amount = atomicAmount(text, decimals);
  if (amount === undefined) return `${currency} has ${decimals} decimals`;
  const least = leastCharge(currency, known.least, card);
  if (BigInt(amount) < least) return `cards take ${decimal(least, decimals)} ${currency} and more`;
  if (BigInt(amount) > mostMinorUnits) return 'cards take less';
  const { networkId, methods } = card;
  return {
    ...{ amount, currency: currency.toLowerCase() },
    methodDetails: { networkId, paymentMethodTypes: methods },
  };
}

/** What the operator says is worth it, in dollars; what the processor charges at all, in all others. */
function leastCharge(currency: string, least: number, { minimum }: CardSettings): bigint {
  return currency === 'USD' ? BigInt(atomicAmount(minimum, 2) ?? '0') : BigInt(least);
}

function decimal(amount: bigint, decimals: number): string {
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
