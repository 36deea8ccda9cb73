import type { Step } from '#contract/surface/admission-parts';
import type { Accepted } from '../offers/accepted.ts';
import { offerOf } from '../offers/offer.ts';
import type { Sell } from './counter.ts';
import { isFreeFor } from './free-for.ts';

/**
 * Let operations that have a price run only when it is paid. A price that nothing can take is found
 * when the operation is offered; what sells is loaded with the first call.
 */
export function paymentStep(accepted: Accepted, loadCounter: () => Promise<Sell>): Step {
  return (operation, next) => {
    const { price } = operation;
    if (price === undefined) return next;
    const offer = offerOf(operation, price, accepted);
    return async (input, context) => {
      if (isFreeFor(price, context.caller)) return next(input, context);
      const sell = await loadCounter();
      return sell(offer, input, context, () => next(input, context));
    };
  };
}
