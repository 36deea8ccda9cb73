import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentFacilitationRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { chainFault } from '../evm/chain-client.ts';
import type { ChainWatch } from '../evm/chain-watch.ts';
import { graceMs, mostAtOnce, settlingMs } from '../numbers.ts';
import type { FacilitationRecords } from './facilitation-records.ts';

interface ResolveParts {
  readonly watch: Pick<ChainWatch, 'look'>;
  readonly records: Pick<FacilitationRecords, 'open' | 'end'>;
  readonly events: Pick<CommerceEvents, 'paymentFacilitated'>;
  readonly now: () => number;
}

/**
 * Find out what became of payments between others that were begun and not ended: the chain says of
 * each whether it was taken, and after its end it can be taken no more.
 *
 * @throws where the chain does not say of some
 */
export async function resolveFacilitations(
  parts: ResolveParts,
  signal: AbortSignal,
): Promise<void> {
  const { records, now } = parts;
  const beforeMs = now() - settlingMs;
  const faults: string[] = [];
  let last: PaymentFacilitationRow | undefined;
  do {
    const page = await records.open(beforeMs, mostAtOnce, last);
    for (const row of page) {
      if (signal.aborted) return;
      await resolve(parts, row).catch((error: unknown) => faults.push(chainFault(error)));
    }
    last = page.length < mostAtOnce ? undefined : page.at(-1);
  } while (last !== undefined);
  if (faults.length > 0) {
    throw new Error(`${faults.length} payments of others could not be looked after: ${faults[0]}`);
  }
}

async function resolve(
  { watch, records, events, now }: ResolveParts,
  row: PaymentFacilitationRow,
): Promise<void> {
  const { asset, payer, amount, pay_to: payTo, created_at: claimedAt } = row;
  const [, keeper, , nonce = ''] = row.claim.split('/');
  const isPermit = keeper === 'permit2';
  const found = await watch.look({
    ...{ asset, payer, payTo, amount, nonce, isPermit, claimedAt, confirmations: 0 },
  });
  if (found.kind === 'unconfirmed') return;
  if (found.kind === 'not taken' && now() < row.valid_before + graceMs) return;
  const transaction = found.kind === 'taken' ? found.transaction : '';
  const isTaken = transaction !== '';
  await records.end(row.claim, isTaken ? 'settled' : 'refused', transaction);
  const { tenant, id, network, subject } = row;
  await events.paymentFacilitated({
    ...{ tenant, actor: { type: 'system', id: 'payments' }, subject },
    ...(!isTaken && { outcome: 'failed' as const }),
    payload: {
      ...{ facilitation_id: id, network, asset, amount, payer, pay_to: payTo },
      ...(isTaken ? { transaction } : { error: 'never taken' }),
    },
  });
}
