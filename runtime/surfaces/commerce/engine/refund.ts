import { type Hex, keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { JobRun } from '#contract/house/jobs';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Settler } from '../evm/settler.ts';
import { messageOf } from '../evm/signer-of.ts';
import { authorizationTypes } from '../evm/token-abi.ts';
import { chargedOf } from '../ledger/charged.ts';
import { refundValidMs } from '../numbers.ts';
import type { ChainSettings } from '../offers/settings.ts';
import { payloadOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import { requirementsFor } from '../x402/payment-required.ts';

export interface RefundParts {
  readonly chain: ChainSettings;
  readonly settler: Settler;
  readonly records: PaymentRecords;
  readonly events: Pick<CommerceEvents, 'paymentRefunded'>;
  /** Key of the account that was paid; without it, what is due stays due until its operator pays it. */
  readonly key: string | undefined;
  readonly now: () => number;
}

/**
 * Give back what is due. The order bears a number that is made of the payment, and the token takes
 * each number once: however often this runs, and whatever it dies of, the money goes back once.
 */
export async function giveBack(parts: RefundParts, run: JobRun): Promise<void> {
  const { tenant, key: id, signal } = run;
  const { records, settler, chain, events, now } = parts;
  const row = await records.find(tenant, id);
  if (row?.state !== 'refund_due' || parts.key === undefined) return;
  const settlement = await settler.settle(await orderOf(row, parts.key, chain, now()), signal);
  if (settlement.kind === 'pending') throw new Error('the refund is not confirmed yet');
  const isDone =
    settlement.kind === 'settled' || settlement.fault === 'invalid_exact_evm_nonce_already_used';
  if (!isDone) throw new Error(`the refund was refused: ${settlement.fault}`);
  const transaction = settlement.kind === 'settled' ? settlement.transaction : '';
  // The entry is written again where the process dies in between; a refund without one is worse.
  await events.paymentRefunded({
    ...{ tenant, actor: { type: 'system', id: 'payments' }, subject: row.subject },
    payload: { ...payloadOf(row), ...(transaction && { transaction }) },
  });
  await records.move(row, ['refund_due'], 'refunded', { refund_hash: transaction });
}

async function orderOf(row: PaymentRow, key: string, chain: ChainSettings, now: number) {
  const { asset, chainId } = chain;
  const account = privateKeyToAccount(key as Hex);
  const open = {
    from: account.address,
    to: row.payer,
    value: chargedOf(row),
    validAfter: '0',
    validBefore: String(Math.floor((now + refundValidMs) / 1000)),
    nonce: keccak256(stringToBytes(`refund ${row.claim}`)),
  };
  const signature = await account.signTypedData({
    domain: {
      ...{ name: asset.name, version: asset.version, chainId },
      verifyingContract: row.asset as Hex,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: messageOf({ ...open, signature: '' }),
  });
  const requirements = requirementsFor(
    chargedOf(row),
    { ...chain, payTo: row.payer },
    refundValidMs,
  );
  // What was worth waiting for when it came is worth it when it goes.
  const { created_at: claimedAt, confirmations } = row;
  return { authorization: { ...open, signature }, requirements, confirmations, claimedAt };
}
