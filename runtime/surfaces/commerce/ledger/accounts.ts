import type {
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';

/**
 * Where money stands: `funds` is what has arrived and not gone back; the others say whose it is,
 * `unearned` that of somebody whose work is not done yet, `earned` ours, `refundable` that of
 * somebody who gets it back.
 */
export type Account = LedgerTransferRow['debit'];

/** Whose the money of a payment is in each of its states; nothing where none is here. */
const owners: Readonly<Record<PaymentRow['state'], Exclude<Account, 'funds'> | undefined>> = {
  claimed: undefined,
  settling: undefined,
  pending: undefined,
  executing: 'unearned',
  delivered: 'earned',
  rejected: undefined,
  failed: undefined,
  refund_due: 'refundable',
  refunded: undefined,
  // Its bank has taken it, whatever becomes of it in the end.
  disputed: undefined,
};

/** The account whose money that of a payment is. */
export function ownerOf({
  state,
  flow,
}: Pick<PaymentRow, 'state' | 'flow'>): Exclude<Account, 'funds'> | undefined {
  // The work is done first, and nothing has arrived yet.
  if (state === 'executing' && flow === 'authorize') return undefined;
  return owners[state];
}

/** What a change of state moves: both sides of one entry, or nothing where no money moves. */
export function transferBetween(
  before: Pick<PaymentRow, 'state' | 'flow'>,
  after: Pick<PaymentRow, 'state' | 'flow'>,
): { readonly debit: Account; readonly credit: Account } | undefined {
  const [from, to] = [ownerOf(before), ownerOf(after)];
  if (from === to) return undefined;
  return { debit: from ?? 'funds', credit: to ?? 'funds' };
}
