import { parseDuration } from '../config/switch.ts';
import type { CardPrice, Metered, Price, Rail } from '../operation.ts';

/** A price as specs say it, which specs/schemas/operation.schema.json allows. */
export interface RawPrice {
  readonly amount: string;
  readonly currency: 'USD';
  readonly rails?: readonly Rail[];
  readonly card?: CardPrice;
  readonly metered?: Metered;
  readonly flow?: 'settle-first' | 'authorize';
  readonly confirmations?: number;
  readonly max_timeout?: string;
  readonly free_for?: readonly string[];
  readonly refund_on_error?: boolean;
}

/** The price in the terms of admission; what is as it would be anyway is not there. */
export function planPrice(raw: RawPrice): Price {
  const { amount, currency, rails, card, flow, confirmations, max_timeout, free_for } = raw;
  const maxTimeoutMs = max_timeout === undefined ? undefined : parseDuration(max_timeout);
  return {
    amount,
    currency,
    ...(rails && { rails }),
    ...(card && { card }),
    ...(raw.metered && { metered: raw.metered }),
    ...(flow === 'authorize' && { flow }),
    ...(confirmations && { confirmations }),
    ...(maxTimeoutMs !== undefined && { maxTimeoutMs }),
    ...(free_for && { freeFor: free_for }),
    ...(raw.refund_on_error === false && { refundOnError: false as const }),
  };
}
