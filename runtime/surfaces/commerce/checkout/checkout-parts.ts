import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { Treasury } from '../engine/treasury.ts';
import type { Accepted } from '../offers/accepted.ts';
import type { IsLeft } from './left.ts';
import type { OrderEvents } from './order-events.ts';
import type { Sessions } from './sessions.ts';

/** What checkout sessions are made of. */
export interface CheckoutParts {
  readonly sessions: Sessions;
  readonly accepted: Accepted;
  readonly events: CommerceEvents;
  readonly orderEvents: OrderEvents;
  readonly treasury: () => Promise<Pick<Treasury, 'take' | 'revisit'>>;
  readonly isLeft: IsLeft;
  readonly house: Pick<House, 'tenants' | 'address' | 'prices' | 'now' | 'confirm' | 'tools'>;
}
