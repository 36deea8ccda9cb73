import type { Authorization } from '../evm/authorization.ts';
import type { Sale } from '../offers/sale.ts';
import type { PaymentRequirements } from '../x402/payment-required.ts';

/** A payment that was shown for a sale, and is in order as far as it says so itself. */
export type Payment = ChainPaymentShown | CardPaymentShown;

interface Shown {
  readonly sale: Sale;
  /** Id of the challenge that it answers; empty for x402. */
  readonly challengeId: string;
  /** How its client calls it (x402, payment-identifier). */
  readonly identifier?: string | undefined;
}

/** An order that its payer has signed. */
export interface ChainPaymentShown extends Shown {
  readonly rail: 'x402' | 'mpp';
  readonly authorization: Authorization;
  readonly requirements: PaymentRequirements;
}

/** A token that stands for a card and for no more than the payment. */
export interface CardPaymentShown extends Shown {
  readonly rail: 'card';
  /** As secret as the card: it is in no row, log or error. */
  readonly token: string;
  /** When the challenge ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
}
