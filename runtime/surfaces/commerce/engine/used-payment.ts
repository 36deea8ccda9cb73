import { ServiceError } from '#contract/errors';
import { PaymentUsed } from '#contract/payment/payment';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { retryMs } from '../numbers.ts';
import { unavailable } from '../records/payment-records.ts';

/** What somebody hears who shows a payment that was shown before. */
export function usedBefore({ state }: Pick<PaymentRow, 'state'>): PaymentUsed {
  switch (state) {
    case 'pending':
      return stillPending();
    case 'refund_due':
    case 'refunded':
      return givenBack('what it was for could not be done, and what was paid is given back');
    case 'disputed':
      return givenBack('what was paid was taken back by the bank of the card');
    case 'claimed':
    case 'settling':
    case 'executing':
      return duplicate('this payment is being used for a call that still runs', retryMs);
    default:
      return duplicate('this payment was used before: sign a new one');
  }
}

/** The name of a payment is that of another one (x402, payment-identifier). */
export function misnamed(): PaymentUsed {
  const message = 'another payment has come with this identifier: a new one needs its own';
  return new PaymentUsed('payment_identifier_conflict', message);
}

export function givenBack(
  message = 'it took too long to be done, and what was paid is given back',
): PaymentUsed {
  return new PaymentUsed('payment_given_back', message);
}

export function stillPending(): PaymentUsed {
  const message =
    'the payment was sent and is not confirmed yet: do not pay again, it is kept or given back';
  return new PaymentUsed('settlement_pending', message, { retryAfterMs: retryMs });
}

/** The call was stopped while its payment was under way, or what was paid for. */
export function interrupted(): PaymentUsed {
  const message =
    'the call was stopped before its end: do not pay again, show the same payment again; what is not delivered is given back';
  return new PaymentUsed('settlement_pending', message, { retryAfterMs: retryMs });
}

/** Whoever would have taken the money was never reached. */
export function processorAway(): ServiceError {
  const message = 'the payment could not be made just now, and nothing was charged: try again';
  return new ServiceError(unavailable, 503, message, { retryAfterMs: retryMs });
}

function duplicate(message: string, retryAfterMs?: number): PaymentUsed {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new PaymentUsed('duplicate_settlement', message, wait);
}
