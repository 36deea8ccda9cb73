import { parseDuration } from '../config/switch.ts';

/** Whose spending a rule counts together. */
export type Holder = 'agent' | 'consent' | 'operation' | 'tenant';

/** How much may be spent in a span of time; spans follow each other from 1970 on, days begin at midnight (UTC). */
export interface Budget {
  readonly name: string;
  readonly of: Holder;
  /** What counts for it; everything when absent. */
  readonly on?: readonly string[];
  readonly perMs: number;
  /** A decimal number of US dollars. */
  readonly amount: string;
}

/** Who is billed for the uses of a plan, by the processor of cards. */
export interface Meter {
  /** Event name of the meter there. */
  readonly event: string;
  /** Id of the customer there. */
  readonly customer: string;
}

/** Some uses of what has a price for nothing, for each agent that the plan is for. */
export interface Plan {
  readonly name: string;
  /** It is for those who hold one of these; for everybody who has a name when absent. */
  readonly scopes?: readonly string[];
  /** It is for those of these tenants; of all when absent. */
  readonly tenants?: readonly string[];
  readonly on?: readonly string[];
  readonly uses: number;
  readonly perMs: number;
  /** To whom each use is billed later; nobody when absent. */
  readonly meter?: Meter;
}

/** What limits what is paid here, besides the prices. */
export interface SpendingRules {
  readonly budgets: readonly Budget[];
  readonly plans: readonly Plan[];
  /** Of a price above it, in US dollars, a person has to agree to each payment. */
  readonly approveAbove?: string;
}

/** The rules as files say them (specs/schemas/operation.schema.json); `none` takes one away. */
export interface RawSpending {
  readonly budgets?: Readonly<Record<string, RawBudget | 'none'>>;
  readonly plans?: Readonly<Record<string, RawPlan | 'none'>>;
  readonly approve_above?: { readonly amount: string } | 'none';
}

interface RawBudget {
  readonly of: Holder;
  readonly on?: readonly string[];
  readonly per: string;
  readonly amount: string;
}

interface RawPlan {
  readonly scopes?: readonly string[];
  readonly tenants?: readonly string[];
  readonly on?: readonly string[];
  readonly uses: number;
  readonly per: string;
  readonly meter?: Meter;
}

/** Put the rules of several files together: what a later one says of a name wins. */
export function planSpending(...files: readonly RawSpending[]): SpendingRules {
  const budgets = merged(files.map((file) => file.budgets));
  const plans = merged(files.map((file) => file.plans));
  const above = files.map((file) => file.approve_above).findLast((each) => each !== undefined);
  return {
    budgets: budgets.map(([name, { of, on, per, amount }]) => ({
      ...{ name, of, ...(on && { on }), perMs: spanOf(per), amount },
    })),
    plans: plans.map(([name, { scopes, tenants, on, uses, per, meter }]) => ({
      ...{ name, ...(scopes && { scopes }), ...(tenants && { tenants }), ...(on && { on }) },
      ...{ uses, perMs: spanOf(per), ...(meter && { meter }) },
    })),
    ...(above !== undefined && above !== 'none' && { approveAbove: above.amount }),
  };
}

function merged<Rule extends object>(
  files: readonly (Readonly<Record<string, Rule | 'none'>> | undefined)[],
): readonly (readonly [name: string, rule: Rule])[] {
  const all: Record<string, Rule | 'none'> = Object.assign({}, ...files);
  return Object.entries(all).flatMap(([name, rule]) => (rule === 'none' ? [] : [[name, rule]]));
}

/** Its schema takes nothing else; a span of no time would never end. */
function spanOf(text: string): number {
  return Math.max(1, parseDuration(text) ?? 0);
}
