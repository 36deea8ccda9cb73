import type { PaymentRequirements } from '../x402/payment-required.ts';
import type { Authorization } from './authorization.ts';

/** An authorization, and what it is to pay for. */
export interface ChainPayment {
  readonly authorization: Authorization;
  readonly requirements: PaymentRequirements;
  /** What is charged of the most that was signed; all of it when absent. */
  readonly charge?: string;
  readonly confirmations: number;
  /** When it was claimed here, in milliseconds since the epoch: what was taken before is not for this. */
  readonly claimedAt: number;
}

/** What came of the attempt to move the money. */
export type Settlement =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** It was sent, and nobody can say yet what became of it. */
  | { readonly kind: 'pending'; readonly transaction: string }
  /** Nothing was moved by it, nor will be. */
  | { readonly kind: 'refused'; readonly fault: string };

/** Moves money on a chain, or has it moved. */
export interface Settler {
  /** Nothing where the chain would take the payment now; else what is wrong with it. */
  verify(payment: ChainPayment): Promise<string | undefined>;
  /**
   * Keep what a payment may cost from other orders of its payer until what comes back is called;
   * nothing comes back where the payer has less than all of them together.
   */
  reserve?(payment: ChainPayment): Promise<(() => void) | undefined>;
  /** @param signal with which what is not known yet counts as pending */
  settle(payment: ChainPayment, signal?: AbortSignal): Promise<Settlement>;
}
