import { PaymentRefused } from '#contract/payment/payment';
import type { Spending } from './spending.ts';

/**
 * The refusal of a payment that a budget does not allow, in the words of both protocols: 403, with no
 * challenge, for paying would not help (draft-httpauth-payment-00; x402 v2, refusal by policy).
 */
export function budgetExceeded(spending: Spending, now: number): PaymentRefused {
  const { rule, limit, used, takes, until } = spending;
  const renewsAt = new Date(until).toISOString();
  const message = `the budget ${rule} allows ${limit} USD until ${renewsAt}, of which ${used} are used: this would cost ${takes}`;
  const budget = { name: rule, limit, used, currency: 'USD', renews_at: renewsAt };
  const told = { x402Version: 2, error: 'budget_exceeded', title: 'Budget Exceeded', budget };
  return new PaymentRefused(message, told, Math.max(1, until - now));
}
