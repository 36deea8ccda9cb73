import type { Route } from '../surface/route.ts';
import type { SpendingRules } from './spending.ts';

/** What things cost, once everything that is offered is known. */
export interface PriceList {
  /** The routes that have a price. */
  readonly routes: readonly Route[];
  /** What limits what is paid for them. */
  readonly spending: SpendingRules;
}
