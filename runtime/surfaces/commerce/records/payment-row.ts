import { randomUUID } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { nameOfToken } from '../card/payment-token.ts';
import type { Authorization } from '../evm/authorization.ts';
import type { ChainPayment } from '../evm/settler.ts';
import { longestTime } from '../numbers.ts';
import type { ChainSettings } from '../offers/settings.ts';
import { methodOf } from '../x402/payment-required.ts';
import type { CardPaymentShown, ChainPaymentShown, Payment } from './payment.ts';

/** A payment as it is claimed. */
export function rowOf(
  payment: Payment,
  { caller }: CallContext,
  chain: ChainSettings,
  now: number,
): PaymentRow {
  const { rail, sale, challengeId } = payment;
  return {
    tenant: caller.tenant,
    id: randomUUID(),
    ...{ rail, state: 'claimed', flow: sale.offer.price.flow ?? 'settle-first' },
    ...{ operation: sale.target, digest: sale.digest, subject: caller.subject },
    ...(payment.rail === 'card' ? ofCard(payment) : ofChain(payment, chain)),
    confirmations: sale.offer.price.confirmations ?? 0,
    ...{ challenge: challengeId, charged: '', transaction_hash: '', refund_hash: '', fault: '' },
    ...{ created_at: now, changed_at: now },
    ...{ settled_entry: null, held: JSON.stringify(sale.budgets) },
  };
}

function ofChain({ authorization, requirements }: ChainPaymentShown, chain: ChainSettings) {
  const method = methodOf(requirements);
  return {
    method,
    // What is charged is known after the work alone.
    ...(method === 'upto' && { flow: 'authorize' as const }),
    claim: claimOf(authorization, chain),
    ...{ network: chain.network, asset: chain.asset.address, amount: authorization.value },
    ...{ payer: authorization.from, pay_to: chain.payTo },
    valid_before: Math.min(Number(authorization.validBefore) * 1000, longestTime),
  };
}

/** A card is charged before the work: what it paid for work that fails goes back. */
function ofCard({ sale, challengeId, token, expiresAt }: CardPaymentShown) {
  const { amount = '', currency = '', methodDetails } = sale.offer.card ?? {};
  return {
    flow: 'settle-first' as const,
    method: 'card',
    claim: `card/${challengeId}`,
    ...{ network: 'card', asset: currency, amount },
    ...{ payer: nameOfToken(token), pay_to: methodDetails?.networkId ?? '' },
    valid_before: expiresAt,
  };
}

/** What a payer can use once on a chain. */
function claimOf(
  { from, nonce, permit }: Authorization,
  { network, asset }: ChainSettings,
): string {
  // Permit2 takes a number once for all tokens.
  const keeper = permit === undefined ? asset.address : 'permit2';
  return [network, keeper, from, nonce].join('/').toLowerCase();
}

/** The same for what moves its money. */
export function chainPayment(
  { authorization, requirements }: ChainPaymentShown,
  { created_at: claimedAt, confirmations, charged }: PaymentRow,
): ChainPayment {
  const charge = charged === '' ? {} : { charge: charged };
  return { authorization, requirements, confirmations, claimedAt, ...charge };
}
