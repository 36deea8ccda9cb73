import { randomUUID } from 'node:crypto';
import type {
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { transferBetween } from './accounts.ts';
import { chargedOf } from './charged.ts';

/**
 * The entry that belongs to a change of state; nothing where no money moves with it.
 *
 * @param after the payment as it is from now on
 */
export function transferFor(
  state: PaymentRow['state'],
  after: PaymentRow,
): LedgerTransferRow | undefined {
  const accounts = transferBetween({ state, flow: after.flow }, after);
  if (accounts === undefined) return undefined;
  const { tenant, id, rail, network, asset, subject, operation } = after;
  const amount = chargedOf(after);
  if (amount === '0') return undefined;
  return {
    ...{ tenant, id: randomUUID(), payment: id, ...accounts, state: after.state },
    ...{ rail, network, asset, amount, subject, operation },
    reference: referenceOf(accounts, after),
    created_at: after.changed_at,
  };
}

/** Only what comes or goes has one: between the other accounts nothing moves but whose it is. */
function referenceOf(
  { debit, credit }: Pick<LedgerTransferRow, 'debit' | 'credit'>,
  { transaction_hash: arrived, refund_hash: returned }: PaymentRow,
): string {
  if (debit === 'funds') return arrived;
  return credit === 'funds' ? returned : '';
}
