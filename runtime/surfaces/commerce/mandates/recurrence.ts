import { isObject } from '#contract/json';
import type { Claims, OpenMandate } from './mandate-chain.ts';
import { MandateError } from './mandate-error.ts';

/** How often a permission may be used, and for how much in all (AP2 0.2, payment mandate constraints). */
export interface Recurrence {
  /** Each of them has to hold; where there is none, it is good for one purchase. */
  readonly agents: readonly { readonly frequency: Frequency; readonly most: number }[];
  /** In cents of the dollar; each of them has to hold. */
  readonly budgets: readonly number[];
}

/** A purchase for which a permission was used before. */
export interface EarlierUse {
  /** In cents of the dollar. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Days and months that lie between two uses. */
const frequencies = {
  ON_DEMAND: [0, 0],
  DAILY: [1, 0],
  WEEKLY: [7, 0],
  BIWEEKLY: [14, 0],
  MONTHLY: [0, 1],
  QUARTERLY: [0, 3],
  ANNUALLY: [0, 12],
} as const satisfies Readonly<Record<string, readonly [days: number, months: number]>>;

type Frequency = keyof typeof frequencies;

/** Constraints that count over several purchases; `recurrenceOf` reads them. */
export const counting: ReadonlySet<unknown> = new Set([
  'payment.agent_recurrence',
  'payment.budget',
]);

/**
 * Read what an open mandate for payments says of several purchases.
 *
 * @throws MandateError where it cannot be counted here
 */
export function recurrenceOf({ claims, hasEnd }: OpenMandate): Recurrence {
  const { constraints } = claims;
  const all = (Array.isArray(constraints) ? constraints : []).filter(isObject);
  const agents = all.filter(({ type }) => type === 'payment.agent_recurrence').map(agentOf);
  // Nobody counts for ever.
  if (agents.length > 0 && !hasEnd) {
    throw new MandateError('invalid_mandate', 'a mandate for several purchases names no end');
  }
  return { agents, budgets: all.filter(({ type }) => type === 'payment.budget').map(centsOf) };
}

/** @throws MandateError where one purchase more is too many, too early or too much */
export function requireRecurrence(
  { agents, budgets }: Recurrence,
  earlier: readonly EarlierUse[],
  amount: number,
  now: number,
): void {
  const last = Math.max(0, ...earlier.map(({ at }) => at));
  for (const { frequency, most } of agents) {
    if (earlier.length >= most) {
      throw refused('payment.agent_recurrence', `was used ${most} times`);
    }
    if (earlier.length > 0 && now < after(last, frequency)) {
      throw refused('payment.agent_recurrence', `is ${frequency}, and was used too short ago`);
    }
  }
  const spent = earlier.reduce((sum, use) => sum + use.amount, 0);
  for (const budget of budgets) {
    if (spent + amount > budget) {
      throw refused('payment.budget', `allows ${budget} cents, of which ${spent} are spent`);
    }
  }
}

function agentOf({ frequency, max_occurrences: most = Number.POSITIVE_INFINITY }: Claims) {
  const isKnown = typeof frequency === 'string' && Object.hasOwn(frequencies, frequency);
  const isCount = most === Number.POSITIVE_INFINITY || Number.isSafeInteger(most);
  if (isKnown && isCount) return { frequency: frequency as Frequency, most: most as number };
  const message = 'payment.agent_recurrence names no frequency, or no number';
  throw new MandateError('unresolved_constraint', message, 'payment.agent_recurrence');
}

/** Budgets are in dollars, other than all else in mandates (open_payment_mandate.json, budget). */
function centsOf({ max, currency }: Claims): number {
  if (currency === 'USD' && typeof max === 'number' && Number.isFinite(max)) {
    // 1.15 is a little less than 115 hundredths.
    return Math.floor(Number((max * 100).toFixed(6)));
  }
  const message = 'payment.budget is none in dollars';
  throw new MandateError('unresolved_constraint', message, 'payment.budget');
}

/** The same day of a later month, or its last one where it is shorter (UTC). */
function after(at: number, frequency: Frequency): number {
  const [days, months] = frequencies[frequency];
  const then = new Date(at);
  if (months === 0) return then.setUTCDate(then.getUTCDate() + days);
  const day = then.getUTCDate();
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() + months);
  const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, last));
  return then.getTime();
}

function refused(type: string, why: string): MandateError {
  return new MandateError('mandate_scope_mismatch', `${type} does not allow it: it ${why}`, type);
}
