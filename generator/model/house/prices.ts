import type { Price } from '#contract/operation';
import { planPrice, type RawPrice } from '#contract/payment/price';
import type { RawSpending } from '#contract/payment/spending';

/** What things cost, by what is sold: `GET /api/v1`, `tool:audit_verify`; and what limits what is paid. */
export interface PricesModel {
  readonly prices: Readonly<Record<string, Price>>;
  readonly spending: RawSpending;
}

/** A `prices.yaml` that its JSON Schema accepts. */
export interface PricesFile extends RawSpending {
  readonly prices: Readonly<Record<string, RawPrice>>;
}

/** Put every price into the terms of admission; its rules wait for those of the operator. */
export function planPrices({ prices, ...spending }: PricesFile): PricesModel {
  const planned = Object.entries(prices).map(([target, price]) => [target, planPrice(price)]);
  return { prices: Object.fromEntries(planned), spending };
}
