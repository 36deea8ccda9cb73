import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { payloadOf } from '../records/event-facts.ts';
import type { OperatorParts } from './operator-parts.ts';
import { noPayment } from './shown-payments.ts';
import { usage } from './usage.ts';

const author = { actor: { type: 'user', id: 'local' } } as const;
const reason = 'the operator gives it back';

/** Give back what was paid for something that was done; once, however often it is asked for. */
export async function refundPayment(
  { records, events, refund }: Pick<OperatorParts, 'records' | 'events' | 'refund'>,
  tenant: string,
  id: string,
): Promise<string> {
  const row = await records.find(tenant, id);
  if (row === undefined) throw noPayment(id);
  if (row.state === 'refunded') return `payment ${id} was given back already`;
  if (row.state !== 'delivered' && row.state !== 'refund_due') throw usage(whyNot(row));
  if (row.state === 'delivered') {
    const facts = { tenant, ...author, subject: row.subject };
    const payload = { ...payloadOf(row), error: reason };
    // On disk before the money is on its way.
    await events.paymentRefundDue({ ...facts, payload, outcome: 'intent' });
    const moved = await records.move(row, ['delivered'], 'refund_due', { fault: reason });
    if (!moved) return `payment ${id} is being given back already`;
  }
  await refund(row);
  return `payment ${id} is being given back: payments show ${id} says when it is done`;
}

function whyNot({ id, state }: PaymentRow): string {
  const why = {
    ...{
      claimed: 'nothing is paid yet',
      settling: 'it is being paid',
      pending: 'it is being paid',
    },
    executing: 'its work is being done, and it goes back by itself where that fails',
    ...{ rejected: 'it was never paid', failed: 'it was never paid' },
  };
  const told = (why as Readonly<Record<string, string>>)[state] ?? `it is ${state}`;
  return `payment ${id} cannot be given back: ${told}`;
}
