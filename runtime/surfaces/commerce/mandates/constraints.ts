import { isObject } from '#contract/json';
import { mandateSkewMs } from '../numbers.ts';
import type { Claims } from './mandate-chain.ts';
import { MandateError } from './mandate-error.ts';
import { counting } from './recurrence.ts';

/** What is about to be bought, as constraints look at it. */
export interface Bought {
  /** The origin of this server. */
  readonly website: string;
  readonly items: readonly { readonly id: string; readonly quantity: number }[];
  /** In cents of the dollar. */
  readonly amount: number;
  readonly currency: string;
  /** The mandate that says so. */
  readonly closed: Claims;
  /** Whether what counts over several purchases is looked at elsewhere. */
  readonly isCounted: boolean;
  /** Hashes of the open mandates with which it is bought. */
  readonly references: readonly string[];
  readonly now: number;
}

/** Without these nobody can say what is allowed (AP2 0.2, open_checkout_mandate.json and the other one). */
const needed = { checkout: 'checkout.line_items', payment: 'payment.reference' } as const;

type Constraint = (constraint: Claims, bought: Bought) => boolean;

/** Those of AP2 0.2 that one purchase decides. */
const known: Readonly<Record<string, Constraint>> = {
  'checkout.allowed_merchants': ({ allowed }, bought) => namesMerchant(allowed, bought),
  'payment.allowed_payees': ({ allowed }, bought) => namesMerchant(allowed, bought),
  'checkout.line_items': ({ items }, bought) => fits(items, bought.items),
  'payment.allowed_payment_instruments': ({ allowed }, { closed }) =>
    listOf(allowed).some((each) => isSameInstrument(each, closed['payment_instrument'])),
  'payment.amount_range': ({ currency, min, max }, bought) =>
    currency === bought.currency &&
    typeof max === 'number' &&
    bought.amount <= max &&
    (min === undefined || (typeof min === 'number' && bought.amount >= min)),
  'payment.reference': ({ conditional_transaction_id: id }, { references }) =>
    typeof id === 'string' && references.includes(id),
  // What is bought is paid at once, whatever date it names.
  'payment.execution_date': ({ not_before: from, not_after: to }, { now }) =>
    isBefore(from, now) && isAfter(to, now),
};

/**
 * Hold what is about to be bought against what open mandates allow.
 *
 * @throws MandateError where one of them does not, or says what nobody here can look at
 */
export function requireConstraints(
  kind: keyof typeof needed,
  open: readonly Claims[],
  bought: Bought,
): void {
  for (const { constraints } of open) {
    if (!Array.isArray(constraints)) {
      throw new MandateError('invalid_mandate', 'an open mandate has no list of constraints');
    }
    for (const constraint of constraints as readonly unknown[]) {
      const type = isObject(constraint) ? constraint['type'] : undefined;
      if (bought.isCounted && counting.has(type)) continue;
      const check =
        typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined;
      if (check === undefined || !isObject(constraint)) {
        const message = `the constraint ${String(type).slice(0, 80)} cannot be looked at here`;
        throw new MandateError('unresolved_constraint', message, String(type));
      }
      if (!check(constraint, bought)) {
        const message = `${String(type)} does not allow it`;
        throw new MandateError('mandate_scope_mismatch', message, String(type));
      }
    }
    const type = needed[kind];
    if (constraints.some((each) => isObject(each) && each['type'] === type)) continue;
    throw new MandateError('invalid_mandate', `an open mandate needs ${type}`, type);
  }
}

/** A payment that says when it is made is made then (AP2 0.2, payment mandate); dates are of UTC. */
export function isDue({ execution_date: date }: Claims, now: number): boolean {
  if (date === undefined) return true;
  const day = 86_400_000;
  return isBefore(date, now + mandateSkewMs) && now <= Date.parse(String(date)) + day;
}

/** Whether a merchant, as mandates describe one, is this server. */
export function isMerchant(merchant: unknown, website: string): boolean {
  const address = isObject(merchant) ? merchant['website'] : undefined;
  return (
    typeof address === 'string' && URL.canParse(address) && new URL(address).origin === website
  );
}

function namesMerchant(allowed: unknown, { website }: Bought): boolean {
  return listOf(allowed).some((merchant) => isMerchant(merchant, website));
}

/**
 * Whether each thing that is bought has a place among those that are allowed, and each of these has
 * its things: a flow from places to things that fills both (AP2 0.2, line items).
 */
function fits(items: unknown, bought: Bought['items']): boolean {
  const places = listOf(items).map(({ quantity, acceptable_items: accepted }) => ({
    left: typeof quantity === 'number' && Number.isInteger(quantity) ? quantity : -1,
    ids: new Set(listOf(accepted).map(({ id }) => id)),
  }));
  if (places.some(({ left }) => left < 1)) return false;
  const wanted = bought.reduce((sum, { quantity }) => sum + quantity, 0);
  if (places.reduce((sum, { left }) => sum + left, 0) !== wanted) return false;
  // flow[place][thing]; things move between places until nothing more fits.
  const flow = places.map(() => bought.map(() => 0));
  const free = bought.map(({ quantity }) => quantity);
  const push = (place: number, amount: number, seenPlaces: Set<number>): number => {
    seenPlaces.add(place);
    for (const [thing, { id }] of bought.entries()) {
      if (!places[place]?.ids.has(id)) continue;
      const own = flow[place] as number[];
      const direct = Math.min(amount, free[thing] ?? 0);
      if (direct > 0) {
        free[thing] = (free[thing] ?? 0) - direct;
        own[thing] = (own[thing] ?? 0) + direct;
        return direct;
      }
      for (const [other, others] of flow.entries()) {
        const taken = others[thing] ?? 0;
        if (taken === 0 || seenPlaces.has(other)) continue;
        const moved = push(other, Math.min(amount, taken), seenPlaces);
        if (moved === 0) continue;
        others[thing] = (others[thing] ?? 0) - moved;
        own[thing] = (own[thing] ?? 0) + moved;
        return moved;
      }
    }
    return 0;
  };
  for (const [place, { left }] of places.entries()) {
    for (let rest = left; rest > 0; ) {
      const moved = push(place, rest, new Set());
      if (moved === 0) return false;
      rest -= moved;
    }
  }
  return true;
}

/** Their names are the same, not what is told of them. */
function isSameInstrument(allowed: Claims, used: unknown): boolean {
  const { id, type } = allowed;
  return isObject(used) && typeof id === 'string' && used['id'] === id && used['type'] === type;
}

function listOf(value: unknown): readonly Claims[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isBefore(from: unknown, now: number): boolean {
  return from === undefined || Date.parse(String(from)) <= now;
}

/** A date without a time lasts until its end. */
function isAfter(to: unknown, now: number): boolean {
  if (to === undefined) return true;
  const end = Date.parse(String(to));
  return now <= (/^\d{4}-\d\d-\d\d$/.test(String(to)) ? end + 86_399_999 : end);
}
