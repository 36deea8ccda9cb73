import type { Caller } from '#contract/caller';
import type { Budget, Holder, Meter, Plan, SpendingRules } from '#contract/payment/spending';
import { addressKey } from '#contract/surface/address-key';

/** A rule as it counts for one call. */
export interface Hold {
  /** Name of the rule. */
  readonly rule: string;
  /** Who spends. */
  readonly holder: string;
  /** The span of time, in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** How much the rule allows, and how much of it the call takes; decimal numbers. */
  readonly limit: string;
  readonly takes: string;
  /** To whom the use of a plan is billed; nobody when absent. */
  readonly meter?: Meter;
}

interface Spent {
  /** `GET /api/v1`, `tool:audit_verify`. */
  readonly target: string;
  readonly caller: Caller;
  /** From which it came over HTTP. */
  readonly address?: string | undefined;
  /** US dollars. */
  readonly price: string;
  readonly now: number;
}

/** Who holds what is spent by a call; strangers are told apart by where they call from. */
const holders: Readonly<Record<Holder, (spent: Spent) => string | undefined>> = {
  agent: ({ caller, address }) => {
    if (!caller.isAnonymous) return `agent ${caller.registration ?? caller.subject}`;
    return address === undefined ? undefined : `address ${addressKey(address)}`;
  },
  consent: ({ caller }) => caller.grant && `consent ${caller.grant}`,
  operation: ({ target }) => `operation ${target}`,
  tenant: () => 'tenant',
};

/** The budgets that a payment counts for. */
export function budgetsFor(
  { budgets }: Pick<SpendingRules, 'budgets'>,
  spent: Spent,
): readonly Hold[] {
  return budgets.flatMap((budget) => {
    const holder = holders[budget.of](spent);
    if (holder === undefined || !isOn(budget, spent.target)) return [];
    const { name, amount: limit } = budget;
    return [{ rule: name, holder, ...spanOf(budget, spent.now), limit, takes: spent.price }];
  });
}

/** The plans by which a call may cost nothing. */
export function plansFor({ plans }: Pick<SpendingRules, 'plans'>, spent: Spent): readonly Hold[] {
  // Who has many addresses would have as many plans.
  const holder = spent.caller.isAnonymous ? undefined : holders.agent(spent);
  if (holder === undefined) return [];
  return plans
    .filter((plan) => isOn(plan, spent.target) && isFor(plan, spent.caller))
    .map((plan) => ({
      ...{ rule: `plan ${plan.name}`, holder, ...spanOf(plan, spent.now) },
      ...{ limit: String(plan.uses), takes: '1', ...(plan.meter && { meter: plan.meter }) },
    }));
}

function isFor({ scopes, tenants }: Plan, caller: Caller): boolean {
  const isOfTenant = tenants?.includes(caller.tenant) ?? true;
  const held = caller.scopes;
  return isOfTenant && (held === 'all' || (scopes?.some((scope) => held.has(scope)) ?? true));
}

function isOn({ on }: Pick<Budget, 'on'>, target: string): boolean {
  return on?.includes(target) ?? true;
}

function spanOf({ perMs }: Pick<Budget, 'perMs'>, now: number) {
  const since = Math.floor(now / perMs) * perMs;
  return { since, until: since + perMs };
}
