import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { factsOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import type { CardProcessor, Charged } from './card-processor.ts';

export interface FollowParts {
  readonly processor: CardProcessor;
  readonly records: PaymentRecords;
  readonly events: CommerceEvents;
  /** Has what is due given back. */
  readonly refund: (row: PaymentRow) => Promise<void>;
  /** Finds out what became of a payment that was sent. */
  readonly settle: (row: PaymentRow) => Promise<void>;
  readonly log: House['log'];
}

/**
 * Bring a payment to where its charge is at the processor now. It looks at nothing that was told, so
 * that it does the same in whatever order and however often something is told.
 */
export async function followCharge(parts: FollowParts, intent: string): Promise<void> {
  const charged = await parts.processor.charged(intent);
  const { tenant, claimId } = charged;
  if (tenant === undefined || claimId === undefined) return;
  const row = await parts.records.find(tenant, claimId);
  if (row === undefined || row.rail !== 'card') return;
  if (row.transaction_hash !== '' && row.transaction_hash !== intent) return;
  switch (row.state) {
    case 'pending':
      return parts.settle(row);
    case 'rejected':
    case 'failed':
      return charged.isTaken ? takenLate(parts, row, intent) : undefined;
    case 'executing':
    case 'delivered':
    case 'refund_due':
      if (charged.isDisputed) return disputed(parts, row, charged);
      return isAllBack(row, charged) ? refundedElsewhere(parts, row, charged) : undefined;
    case 'disputed':
      return charged.isDisputed ? undefined : won(parts, row);
    case 'refunded':
      return isAllBack(row, charged) ? undefined : notBack(parts, row);
    // Whoever claimed it is at work, and finds out itself.
    default:
  }
}

function isAllBack({ amount }: PaymentRow, { back }: Charged): boolean {
  return back >= Number(amount);
}

/** It was given up, and was charged all the same: nothing was done for it. */
async function takenLate(parts: FollowParts, row: PaymentRow, transaction: string): Promise<void> {
  const { records, events, refund } = parts;
  const change = { transaction_hash: transaction, fault: 'settled too late' };
  if (!(await records.move(row, ['rejected', 'failed'], 'refund_due', change))) return;
  await events.paymentSettled(factsOf(row, { transaction }));
  await refund(row);
}

/** The bank takes the money: what it has paid for is taken back as far as it can be. */
async function disputed(
  { records, events }: FollowParts,
  row: PaymentRow,
  { dispute }: Charged,
): Promise<void> {
  const fault = row.state === 'executing' ? 'disputed before it was done' : row.fault;
  const { transaction_hash: transaction } = row;
  // Written again where the process dies in between; a dispute without an entry is worse.
  await events.paymentDisputed(factsOf(row, { transaction }));
  await records.move(row, [row.state], 'disputed', { fault, refund_hash: dispute });
}

async function won({ records, events, refund }: FollowParts, row: PaymentRow): Promise<void> {
  const { transaction_hash: transaction } = row;
  await events.paymentDisputeWon(factsOf(row, { transaction }));
  // What was due before the dispute is due after it.
  const isDue = row.fault !== '';
  const isMoved = await records.move(row, ['disputed'], isDue ? 'refund_due' : 'delivered', {
    refund_hash: '',
  });
  if (isMoved && isDue) await refund(row);
}

/** Somebody has given it back at the processor. */
async function refundedElsewhere(
  { records, events }: FollowParts,
  row: PaymentRow,
  { refund }: Charged,
): Promise<void> {
  await events.paymentRefunded(factsOf(row, { transaction: refund }));
  await records.move(row, [row.state], 'refunded', { refund_hash: refund });
}

/** What was given back has not arrived: it is due again. */
async function notBack(parts: FollowParts, row: PaymentRow): Promise<void> {
  const { records, events, refund, log } = parts;
  const fault = 'the refund failed';
  if (!(await records.move(row, ['refunded'], 'refund_due', { fault, refund_hash: '' }))) return;
  log.warn({ payment: row.id }, 'a refund by card has failed and is tried again');
  await events.paymentRefundDue(factsOf(row, { error: fault }));
  await refund(row);
}
