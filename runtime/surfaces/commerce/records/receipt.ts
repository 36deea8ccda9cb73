import type { PaymentReceipt } from '#contract/payment/payment';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { chargedOf } from '../ledger/charged.ts';
import { encoded } from '../mpp/challenge.ts';
import { type Notary, receiptTold } from '../x402/notary.ts';
import { headerOf } from '../x402/payment-required.ts';
import type { Payment } from './payment.ts';

/** What a client is told that has paid, in the words of the protocol by which it did. */
export async function receiptOf(
  { rail, challengeId, sale }: Payment,
  row: PaymentRow,
  transaction: string,
  now: number,
  notary: Notary | undefined,
): Promise<PaymentReceipt> {
  if (rail === 'x402') {
    const { tenant, network, payer } = row;
    const paid = { tenant, resourceUrl: sale.url, network, payer, transaction };
    const signed = await notary?.receipt(paid, now);
    const settled = {
      ...{ success: true, transaction, network, payer, amount: chargedOf(row) },
      ...(signed && { extensions: { 'offer-receipt': receiptTold(signed) } }),
    };
    return {
      headers: { 'payment-response': headerOf(settled), 'cache-control': 'private' },
      meta: { 'x402/payment-response': settled },
    };
  }
  const receipt = {
    ...{
      status: 'success',
      method: rail === 'card' ? 'stripe' : 'evm',
      challengeId,
      reference: transaction,
    },
    timestamp: new Date(now).toISOString(),
  };
  return {
    headers: { 'payment-receipt': encoded(receipt), 'cache-control': 'private' },
    meta: { 'org.paymentauth/receipt': receipt },
  };
}
