import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Spendings } from '../budgets/spending.ts';
import { chainFault } from '../evm/chain-client.ts';
import type { ChainState } from '../evm/chain-watch.ts';
import { graceMs, keptMs, leftMs, mostAtOnce, settlingMs } from '../numbers.ts';
import { factsOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import type { IsLost } from './is-lost.ts';

export interface ReconcileParts {
  readonly records: PaymentRecords;
  readonly spendings: Pick<Spendings, 'forget'>;
  readonly events: CommerceEvents;
  readonly jobs: Pick<House['jobs'], 'enqueue'>;
  /** Asks whoever moves the money; gives nothing where this server knows nobody to ask. */
  readonly look: (row: PaymentRow) => Promise<ChainState | undefined>;
  readonly isLost: IsLost;
  /** Absent where nothing is sold in checkout sessions. */
  readonly sales?: Sales;
  readonly now: () => number;
}

/** Payments of checkout sessions: what they buy is only written down, which others can do as well. */
export interface Sales {
  isSale(row: PaymentRow): boolean;
  /** Whether whoever was at work on it is dead. */
  isLeft(row: PaymentRow): boolean;
  /** Write the order down; `false` where there is no session for it any more. */
  finish(row: PaymentRow): Promise<boolean>;
}

/**
 * Find out what became of payments that nobody waits for any more: money that arrived for work that
 * was not done goes back, and what never arrived is closed.
 */
export async function reconcile(parts: ReconcileParts, signal: AbortSignal): Promise<void> {
  const { records, spendings, isLost, now } = parts;
  const faults: string[] = [];
  const ages: readonly [PaymentRow['state'][], number][] = [
    [['claimed'], leftMs],
    [['settling', 'pending'], settlingMs],
    [['executing'], leftMs],
    [['refund_due'], settlingMs],
  ];
  for (const [states, ageMs] of ages) {
    const before = now() - ageMs;
    for await (const row of leftIn(records, states, now())) {
      if (signal.aborted) return;
      const { changed_at: at } = row;
      if (at >= before && !isLost(at) && !isLeftSale(parts, row)) continue;
      await revisit(parts, row).catch((error: unknown) => faults.push(chainFault(error)));
    }
  }
  await records.forget(now() - keptMs);
  await spendings.forget(now() - keptMs);
  if (faults.length > 0) {
    throw new Error(`${faults.length} payments could not be looked after: ${faults[0]}`);
  }
}

/** Look after a payment that its process has left behind, or that is not decided yet. */
export async function revisit(parts: ReconcileParts, row: PaymentRow): Promise<void> {
  switch (row.state) {
    case 'claimed':
      await parts.records.move(row, ['claimed'], 'rejected', { fault: 'left' });
      return;
    case 'settling':
    case 'pending':
      return settle(parts, row);
    case 'executing':
      return abandon(parts, row);
    case 'refund_due':
      return demandRefund(parts, row);
    default:
  }
}

/** All of them, some at a time: what cannot be decided yet keeps nothing else from it. */
async function* leftIn(
  records: Pick<PaymentRecords, 'left'>,
  states: readonly PaymentRow['state'][],
  beforeMs: number,
): AsyncGenerator<PaymentRow> {
  let last: PaymentRow | undefined;
  do {
    const page = await records.left(states, beforeMs, mostAtOnce, last);
    yield* page;
    last = page.length < mostAtOnce ? undefined : page.at(-1);
  } while (last !== undefined);
}

/** Find out what became of a payment that was sent, and see to it that its money is where it belongs. */
export async function settle(parts: ReconcileParts, row: PaymentRow): Promise<void> {
  const { records, events, look, sales } = parts;
  const state = await look(row);
  if (state === undefined || state.kind === 'unconfirmed') return;
  const from = ['settling', 'pending'] as const;
  if (state.kind !== 'taken') {
    if (state.kind === 'not taken' && mayStillCome(parts, row)) return;
    if (!(await records.move(row, from, 'failed', { fault: 'never taken' }))) return;
    await events.paymentFailed({ ...factsOf(row, { error: 'never taken' }), outcome: 'failed' });
    return;
  }
  const { transaction } = state;
  const isDue = row.flow === 'settle-first';
  const isSale = isDue && sales?.isSale(row) === true;
  const next = isDue ? 'refund_due' : 'delivered';
  const change = {
    transaction_hash: transaction,
    fault: isDue && !isSale ? 'settled too late' : '',
  };
  const { seq } = await events.paymentSettled(factsOf(row, { transaction }));
  if (!(await records.move(row, from, isSale ? 'executing' : next, change))) return;
  await records.noteEntry(row, seq);
  if (isSale) await abandon(parts, { ...row, ...change, state: 'executing' });
  else if (isDue) await demandRefund(parts, row);
}

/** What a dead process had not sent to a processor nobody sends; on a chain it may be under way. */
function mayStillCome(parts: ReconcileParts, row: PaymentRow): boolean {
  if (row.rail === 'card' && row.state === 'settling' && isLeftSale(parts, row)) return false;
  return parts.now() < row.valid_before + graceMs;
}

function isLeftSale({ sales }: Pick<ReconcileParts, 'sales'>, row: PaymentRow): boolean {
  return sales?.isSale(row) === true && sales.isLeft(row);
}

/** The process died while the work was done: whoever has paid did not get an answer. */
async function abandon(parts: ReconcileParts, row: PaymentRow): Promise<void> {
  const { records, events, sales } = parts;
  if (row.flow === 'authorize') {
    await records.move(row, ['executing'], 'rejected', { fault: 'left' });
    return;
  }
  if (sales?.isSale(row) && (await sales.finish(row))) return;
  if (!(await records.move(row, ['executing'], 'refund_due', { fault: 'left' }))) return;
  await events.paymentRefundDue(factsOf(row, { error: 'left' }));
  await demandRefund(parts, row);
}

/** Have it given back soon; the same demand again changes nothing. */
export async function demandRefund(
  { jobs }: Pick<ReconcileParts, 'jobs'>,
  { tenant, id }: PaymentRow,
): Promise<void> {
  await jobs.enqueue({ name: 'payments-refund', tenant, key: id });
}
