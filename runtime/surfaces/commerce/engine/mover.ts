import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { CardProcessor } from '../card/card-processor.ts';
import type { Settlement, Settler } from '../evm/settler.ts';
import type { Payment } from '../records/payment.ts';
import { chainPayment } from '../records/payment-row.ts';

/** What came of the attempt to move the money, by whichever rail. */
export type MovedMoney = Settlement | { readonly kind: 'unavailable' };

/** Moves the money of payments. */
export interface Mover {
  /** Nothing where the payment would be taken now; else what is wrong with it. */
  verify(payment: Payment, row: PaymentRow): Promise<string | undefined>;
  /** As that of a settler: what is done before it is paid can be paid together. */
  reserve(payment: Payment, row: PaymentRow): Promise<(() => void) | undefined>;
  settle(payment: Payment, row: PaymentRow): Promise<MovedMoney>;
}

export interface MoverParts {
  /** Absent where nothing is taken on a chain. */
  readonly settler: Settler | undefined;
  /** Absent where no cards are taken. */
  readonly processor: CardProcessor | undefined;
}

/** Make what moves money by each rail that is set up. */
export function createMover({ settler, processor }: MoverParts): Mover {
  return {
    async verify(payment, row) {
      if (payment.rail === 'card' || settler === undefined) return 'unexpected_verify_error';
      return settler.verify(chainPayment(payment, row));
    },
    async reserve(payment, row) {
      if (payment.rail === 'card' || settler?.reserve === undefined) return () => {};
      return settler.reserve(chainPayment(payment, row));
    },
    async settle(payment, row) {
      if (payment.rail === 'card') {
        return processor?.charge(row, payment.token) ?? { kind: 'unavailable' };
      }
      return settler?.settle(chainPayment(payment, row)) ?? { kind: 'unavailable' };
    },
  };
}
