import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';

/** What a payment moves, in the smallest unit: of one that is metered it may be less than was signed. */
export function chargedOf({ charged, amount }: Pick<PaymentRow, 'charged' | 'amount'>): string {
  return charged === '' ? amount : charged;
}
