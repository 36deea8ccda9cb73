import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Spendings } from '../budgets/spending.ts';
import { chainFault } from '../evm/chain-client.ts';
import type { ChainState } from '../evm/chain-watch.ts';
import { graceMs, keptMs, leftMs, mostAtOnce, settlingMs } from '../numbers.ts';
import { factsOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';

export interface ReconcileParts {
  readonly records: PaymentRecords;
  readonly spendings: Pick<Spendings, 'forget'>;
  readonly events: CommerceEvents;
  readonly jobs: Pick<House['jobs'], 'enqueue'>;
  /** Asks whoever moves the money; gives nothing where this server knows nobody to ask. */
  readonly look: (row: PaymentRow) => Promise<ChainState | undefined>;
  readonly now: () => number;
}

/**
 * Find out what became of payments that nobody waits for any more: money that arrived for work that
 * was not done goes back, and what never arrived is closed.
 */
export async function reconcile(parts: ReconcileParts, signal: AbortSignal): Promise<void> {
  const { records, spendings, now } = parts;
  const faults: string[] = [];
  const steps: readonly [PaymentRow['state'][], number, (row: PaymentRow) => Promise<unknown>][] = [
    [['claimed'], leftMs, (row) => records.move(row, ['claimed'], 'rejected', { fault: 'left' })],
    [['settling', 'pending'], settlingMs, (row) => settle(parts, row)],
    [['executing'], leftMs, (row) => abandon(parts, row)],
    [['refund_due'], settlingMs, (row) => demandRefund(parts, row)],
  ];
  for (const [states, ageMs, step] of steps) {
    for await (const row of leftIn(records, states, now() - ageMs)) {
      if (signal.aborted) return;
      await step(row).catch((error: unknown) => faults.push(chainFault(error)));
    }
  }
  await records.forget(now() - keptMs);
  await spendings.forget(now() - keptMs);
  if (faults.length > 0) {
    throw new Error(`${faults.length} payments could not be looked after: ${faults[0]}`);
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
export async function settle(
  { records, events, look, jobs, now }: ReconcileParts,
  row: PaymentRow,
) {
  const state = await look(row);
  if (state === undefined || state.kind === 'unconfirmed') return;
  const from = ['settling', 'pending'] as const;
  if (state.kind !== 'taken') {
    if (state.kind === 'not taken' && now() < row.valid_before + graceMs) return;
    if (!(await records.move(row, from, 'failed', { fault: 'never taken' }))) return;
    await events.paymentFailed({ ...factsOf(row, { error: 'never taken' }), outcome: 'failed' });
    return;
  }
  const { transaction } = state;
  const isDue = row.flow === 'settle-first';
  const change = { transaction_hash: transaction, fault: isDue ? 'settled too late' : '' };
  const { seq } = await events.paymentSettled(factsOf(row, { transaction }));
  if (!(await records.move(row, from, isDue ? 'refund_due' : 'delivered', change))) return;
  await records.noteEntry(row, seq);
  if (isDue) await demandRefund({ jobs }, row);
}

/** The process died while the work was done: whoever has paid did not get an answer. */
async function abandon({ records, events, jobs }: ReconcileParts, row: PaymentRow): Promise<void> {
  if (row.flow === 'authorize') {
    await records.move(row, ['executing'], 'rejected', { fault: 'left' });
    return;
  }
  if (!(await records.move(row, ['executing'], 'refund_due', { fault: 'left' }))) return;
  await events.paymentRefundDue(factsOf(row, { error: 'left' }));
  await demandRefund({ jobs }, row);
}

/** Have it given back soon; the same demand again changes nothing. */
export async function demandRefund(
  { jobs }: Pick<ReconcileParts, 'jobs'>,
  { tenant, id }: PaymentRow,
): Promise<void> {
  await jobs.enqueue({ name: 'payments-refund', tenant, key: id });
}
