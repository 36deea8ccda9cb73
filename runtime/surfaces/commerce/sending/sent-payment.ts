import type { SentPayment } from '../evm/chain-watch.ts';
import type { ChainPayment } from '../evm/settler.ts';

/** What the chain is asked about a payment. */
export function sentOf(payment: ChainPayment): SentPayment {
  const { authorization, requirements, claimedAt, confirmations, charge } = payment;
  const { from: payer, nonce, value, permit } = authorization;
  const isPermit = permit !== undefined;
  const amount = charge ?? value;
  const { asset, payTo } = requirements;
  return { asset, payTo, payer, nonce, isPermit, amount, claimedAt, confirmations };
}
