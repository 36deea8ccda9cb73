import { randomUUID } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentFacilitationRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { ChainWatch } from '../evm/chain-watch.ts';
import type { ChainPayment, Settlement, Settler } from '../evm/settler.ts';
import { longestTime } from '../numbers.ts';
import type { ChainSettings } from '../offers/settings.ts';
import { sentOf } from '../sending/sent-payment.ts';
import { type Facilitated, readFacilitated } from './facilitated.ts';
import type { FacilitationRecords } from './facilitation-records.ts';
import { resolveFacilitations } from './resolve-facilitations.ts';

export interface FacilitatorParts {
  readonly chain: ChainSettings;
  readonly settler: Settler;
  readonly watch: Pick<ChainWatch, 'look'>;
  readonly records: FacilitationRecords;
  readonly events: Pick<CommerceEvents, 'paymentFacilitated'>;
  /** The accounts that pay the gas. */
  readonly signers: readonly string[];
  readonly now: () => number;
}

type Body = Readonly<Record<string, unknown>>;

/** Verifies and settles payments between others (x402 v2, facilitator interface). */
export interface Facilitator {
  supported(): object;
  verify(body: Body): Promise<object>;
  settle(body: Body, context: CallContext): Promise<object>;
  /** Find out what became of those whose process died, or whose outcome nobody knew. */
  reconcile(signal: AbortSignal): Promise<void>;
}

/** Make one for the chain and the token of this server. */
export function createFacilitator(parts: FacilitatorParts): Facilitator {
  const { chain, settler, signers, now } = parts;
  return {
    supported: () => ({
      kinds: [
        { x402Version: 2, scheme: 'exact', network: chain.network },
        {
          ...{ x402Version: 2, scheme: 'upto', network: chain.network },
          extra: { facilitatorAddress: signers[0] },
        },
      ],
      extensions: [],
      signers: { 'eip155:*': signers },
    }),
    async verify(body) {
      const read = readFacilitated(body, { chain, signers, now: now() }, 'verify');
      if ('fault' in read) return invalid(read.fault, read.payer);
      const { from: payer } = read.authorization;
      const fault = await settler.verify(asPayment(read, now()));
      return fault === undefined ? { isValid: true, payer } : invalid(fault, payer);
    },
    async settle(body, context) {
      const read = readFacilitated(body, { chain, signers, now: now() }, 'settle');
      if ('fault' in read) return unsettled(chain.network, read.fault, '', read.payer);
      return settle(parts, read, context);
    },
    reconcile: (signal) => resolveFacilitations(parts, signal),
  };
}

async function settle(parts: FacilitatorParts, read: Facilitated, context: CallContext) {
  const { records, settler, chain, now } = parts;
  // What costs nothing needs no transaction, and nothing of it is used up.
  if (read.charge === '0') {
    const { network } = chain;
    const { from: payer } = read.authorization;
    return { success: true, transaction: '', network, payer, amount: '0' };
  }
  const row = rowOf(read, context, chain, now());
  const { payer, amount, network } = row;
  const claimed = await records.claim(row);
  const settlement =
    claimed === 'claimed'
      ? await sent(parts, row, await settler.settle(asPayment(read, now())), context)
      : await known(parts, claimed, read);
  if (settlement.kind === 'settled') {
    return { success: true, transaction: settlement.transaction, network, payer, amount };
  }
  return settlement.kind === 'pending'
    ? unsettled(network, 'settlement_pending', settlement.transaction, payer)
    : unsettled(network, settlement.fault, '', payer);
}

async function sent(
  { records, events }: FacilitatorParts,
  row: PaymentFacilitationRow,
  settlement: Settlement,
  { caller, callId }: CallContext,
): Promise<Settlement> {
  const transaction = settlement.kind === 'refused' ? '' : settlement.transaction;
  await records.end(row.claim, settlement.kind, transaction);
  const { id, network, asset, amount, payer, pay_to } = row;
  await events.paymentFacilitated({
    ...authorOf(caller),
    correlation_id: callId,
    ...(settlement.kind === 'refused' && { outcome: 'failed' as const }),
    payload: {
      ...{ facilitation_id: id, network, asset, amount, payer, pay_to },
      ...(transaction && { transaction }),
      ...(settlement.kind === 'refused' && { error: settlement.fault }),
    },
  });
  return settlement;
}

/** It was sent before, and is not sent again: the chain says what became of it. */
async function known(
  { records, watch }: FacilitatorParts,
  row: PaymentFacilitationRow,
  read: Facilitated,
): Promise<Settlement> {
  const { state, transaction_hash: transaction, claim, created_at: claimedAt } = row;
  // The same number, and yet another payment.
  const isSame = row.amount === amountOf(read) && isEqual(row.pay_to, read);
  if (!isSame) return { kind: 'refused', fault: 'duplicate_settlement' };
  if (state === 'settled') return { kind: 'settled', transaction };
  const found = await watch.look(sentOf(asPayment(read, claimedAt))).catch(() => undefined);
  if (found?.kind !== 'taken') return { kind: 'pending', transaction };
  await records.end(claim, 'settled', found.transaction);
  return { kind: 'settled', transaction: found.transaction };
}

function isEqual(payTo: string, { requirements }: Facilitated): boolean {
  return payTo.toLowerCase() === requirements.payTo.toLowerCase();
}

function asPayment(
  { authorization, requirements, charge }: Facilitated,
  claimedAt: number,
): ChainPayment {
  const charged = charge === undefined ? {} : { charge };
  return { authorization, requirements, confirmations: 0, claimedAt, ...charged };
}

function amountOf({ authorization, charge }: Facilitated): string {
  return charge ?? authorization.value;
}

function rowOf(
  read: Facilitated,
  { caller }: CallContext,
  { network, asset }: ChainSettings,
  now: number,
): PaymentFacilitationRow {
  const { authorization, requirements } = read;
  const { from: payer, nonce, permit } = authorization;
  const amount = amountOf(read);
  const keeper = permit === undefined ? asset.address : 'permit2';
  return {
    tenant: caller.tenant,
    id: randomUUID(),
    claim: [network, keeper, payer, nonce].join('/').toLowerCase(),

    state: 'settling',
    ...{ network, asset: asset.address, amount, payer, pay_to: requirements.payTo },
    valid_before: Math.min(Number(authorization.validBefore) * 1000, longestTime),
    ...{ subject: caller.subject, transaction_hash: '', created_at: now, changed_at: now },
  };
}

function invalid(invalidReason: string, payer: string | undefined): object {
  return { isValid: false, invalidReason, ...(payer !== undefined && { payer }) };
}

function unsettled(network: string, errorReason: string, transaction: string, payer?: string) {
  const who = payer === undefined ? {} : { payer };
  return { success: false, errorReason, transaction, network, ...who };
}
