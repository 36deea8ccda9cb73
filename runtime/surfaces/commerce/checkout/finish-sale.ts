import { textOfResult } from '#contract/text/kept-answer';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { factsOf } from '../records/event-facts.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import { type Line, totalOf } from './lines.ts';
import type { OrderEvents } from './order-events.ts';
import { digestOf } from './seen-session.ts';
import type { Sessions } from './sessions.ts';

export interface FinishParts {
  readonly sessions: Sessions;
  readonly orderEvents: Pick<OrderEvents, 'created' | 'wake'>;
  readonly records: Pick<PaymentRecords, 'move'>;
  readonly events: Pick<CommerceEvents, 'acpCheckoutCompleted' | 'ucpCheckoutCompleted'>;
}

/**
 * Write down the order of a session whose payment has arrived, after the death of whoever wanted to;
 * `false` where the session is not there, or was changed, so that the money has to go back.
 */
export async function finishSale(
  { sessions, orderEvents, records, events }: FinishParts,
  payment: PaymentRow,
): Promise<boolean> {
  const paid = await sessions.ofPayment(payment);
  const session = paid ?? (await sessionFor(sessions, payment));
  if (session === undefined) return false;
  if (paid === undefined) {
    const lines = JSON.parse(session.lines) as readonly Line[];
    const tell = (tx: Parameters<typeof orderEvents.created>[1]) =>
      orderEvents.created(session, tx);
    if (!(await sessions.complete(session, payment.id, lines, tell))) return false;
    orderEvents.wake();
    const { id, protocol, platform } = session;
    const completed =
      protocol === 'acp' ? events.acpCheckoutCompleted : events.ucpCheckoutCompleted;
    await completed({
      ...factsOf(payment),
      payload: {
        ...{ session_id: id, amount: String(totalOf(lines)), items: lines.length },
        ...(platform && { platform: platform.slice(0, 300) }),
        claim_id: payment.id,
      },
    });
  }
  const answer = textOfResult({ order: session.id });
  return records.move(payment, ['executing'], 'delivered', {}, answer);
}

/** What is paid for stands in the payment as a digest alone. */
async function sessionFor(sessions: Sessions, { tenant, subject, digest }: PaymentRow) {
  const waiting = await sessions.completing(tenant, subject);
  return waiting.find((session) => digestOf(session) === digest);
}
