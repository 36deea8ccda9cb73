import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { CardProcessor } from '../card/card-processor.ts';
import type { ChainState, ChainWatch } from '../evm/chain-watch.ts';
import { chargedOf } from '../ledger/charged.ts';

/** What became of a payment, as whoever moves the money tells; nothing where nobody can be asked. */
export async function moneyOf(
  row: PaymentRow,
  watch: Pick<ChainWatch, 'look'> | undefined,
  processor: CardProcessor | undefined,
): Promise<ChainState | undefined> {
  if (row.rail === 'card') return processor?.look(row);
  const nonce = row.claim.slice(row.claim.lastIndexOf('/') + 1);
  const { asset, payer, confirmations, pay_to: payTo, created_at: claimedAt } = row;
  const isPermit = row.method === 'permit2' || row.method === 'upto';
  const amount = chargedOf(row);
  return watch?.look({ asset, payer, amount, confirmations, payTo, nonce, isPermit, claimedAt });
}
