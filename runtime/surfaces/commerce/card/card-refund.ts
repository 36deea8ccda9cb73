import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { factsOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import type { CardProcessor } from './card-processor.ts';

export interface CardRefundParts {
  readonly processor: CardProcessor;
  readonly records: PaymentRecords;
  readonly events: Pick<CommerceEvents, 'paymentRefunded'>;
}

/** Give back what a card has paid; however often this runs, it goes back once. */
export async function giveBackByCard(
  { processor, records, events }: CardRefundParts,
  row: PaymentRow,
): Promise<void> {
  if (row.state !== 'refund_due') return;
  const refund = await processor.refund(row);
  await events.paymentRefunded(factsOf(row, { transaction: refund }));
  await records.move(row, ['refund_due'], 'refunded', { refund_hash: refund });
}
