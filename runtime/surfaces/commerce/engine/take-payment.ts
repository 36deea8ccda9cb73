import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import { PaymentRequired } from '#contract/payment/payment';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Accepted } from '../offers/accepted.ts';
import type { Sale } from '../offers/sale.ts';
import type { Payment } from '../records/payment.ts';
import type { ShownProof } from '../records/shown-proof.ts';
import { readPayment } from './read-payment.ts';
import { Till, type TillParts } from './till.ts';

/** What is done once it is paid. */
export interface PaidWork<Result> {
  /** Has a person agree, before anything of the payment is used; not where that was done before. */
  readonly approve?: () => Promise<void>;
  readonly run: () => Promise<Result>;
  /** A payment that a dead process was moving for the same work: it is this one that goes on. */
  readonly left?: PaymentRow;
}

/** Do some work for the payment that was shown for it. */
export type TakePayment = <Result>(
  shown: ShownProof,
  sale: Sale,
  context: CallContext,
  work: PaidWork<Result>,
) => Promise<Result>;

/** Make what takes payments. */
export function createTakePayment(parts: TillParts & Accepted): TakePayment {
  const till = new Till(parts);
  return async (shown, sale, context, work) => {
    let payment: Payment;
    try {
      const read = readPayment(shown, sale, parts, parts.cashier);
      ({ payment } = read);
      if (read.late !== undefined && !(await till.isUsed(payment, context))) throw read.late;
    } catch (error) {
      if (error instanceof PaymentRequired) await note(parts, shown, sale, context, error);
      throw error;
    }
    if (work.left) return till.goOn(work.left, payment, context, work.run);
    if (!(await till.isClaimed(payment, context))) await work.approve?.();
    return till.sell(payment, context, work.run);
  };
}

/** Write down why something was not taken; what was shown is written nowhere. */
async function note(
  { events }: Pick<TillParts, 'events'>,
  { rail }: ShownProof,
  { target, digest }: Sale,
  { caller, callId }: CallContext,
  { terms: { x402, mpp } }: PaymentRequired,
): Promise<void> {
  const problem = mpp.problem.type.slice(mpp.problem.type.lastIndexOf('/') + 1);
  await events.paymentRefused({
    ...authorOf(caller),
    correlation_id: callId,
    outcome: 'denied',
    payload: {
      ...{ rail, resource: target, request_digest: digest },
      ...{ error: x402?.error ?? problem, problem },
    },
  });
}
