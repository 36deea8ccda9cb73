import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { TakePayment } from '../engine/take-payment.ts';
import type { Accepted } from '../offers/accepted.ts';
import type { OrderEvents } from './order-events.ts';
import type { Sessions } from './sessions.ts';

/** What checkout sessions are made of. */
export interface CheckoutParts {
  readonly sessions: Sessions;
  readonly accepted: Accepted;
  readonly events: CommerceEvents;
  readonly orderEvents: OrderEvents;
  readonly loadTill: () => Promise<TakePayment>;
  readonly house: Pick<House, 'tenants' | 'address' | 'prices' | 'now' | 'confirm' | 'tools'>;
}
