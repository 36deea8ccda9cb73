import { Stripe } from 'stripe';
import type { MeteredUseRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { CardSettings } from '../card/card-settings.ts';
import { processorClient } from '../card/processor-client.ts';

/** What the processor has said to a use. */
export type Reported =
  | { readonly kind: 'reported' }
  /** It does not take it as it is; nothing was counted. */
  | { readonly kind: 'refused'; readonly fault: string }
  /** Nobody knows whether it was counted, unless nothing has arrived. */
  | { readonly kind: 'unanswered'; readonly mayBeDone: boolean; readonly error: unknown };

type Use = Pick<MeteredUseRow, 'id' | 'event' | 'customer' | 'refusals' | 'created_at'>;

/** Tells the processor of uses, which it bills to its customers (billing meters of Stripe). */
export function createMeterReporter(card: Pick<CardSettings, 'secretKey' | 'apiUrl'>) {
  const { client, unanswered } = processorClient(card);
  return async ({ id, event, customer, refusals, created_at }: Use): Promise<Reported> => {
    // A key is answered as before for a day: what was refused needs another one.
    const idempotencyKey = `meter_${id}_${refusals}`;
    const use = {
      ...{ event_name: event, identifier: id, timestamp: Math.floor(created_at / 1000) },
      payload: { stripe_customer_id: customer, value: '1' },
    };
    try {
      await client.billing.meterEvents.create(use, { idempotencyKey });
      return { kind: 'reported' };
    } catch (error) {
      const { StripeInvalidRequestError } = Stripe.errors;
      if (!(error instanceof StripeInvalidRequestError)) {
        return { kind: 'unanswered', mayBeDone: unanswered.has(idempotencyKey), error };
      }
      // It knows the use already: an answer was lost.
      if (error.message.includes(`already exists with identifier ${id}`)) {
        return { kind: 'reported' };
      }
      return { kind: 'refused', fault: (error.code ?? error.type).slice(0, 100) };
    } finally {
      unanswered.delete(idempotencyKey);
    }
  };
}

export type MeterReporter = ReturnType<typeof createMeterReporter>;
