import type { CallContext, Caller } from '#contract/caller';
import { ServiceError, ToolError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { Input } from '#contract/surface/admission-parts';
import { exact } from '../budgets/decimal.ts';
import { budgetExceeded } from '../budgets/refusal.ts';
import type { Spendings } from '../budgets/spending.ts';
import type { MeteredUses } from '../meters/metered-uses.ts';
import { type Accepted, isAnyPayable } from '../offers/accepted.ts';
import type { Offer } from '../offers/offer.ts';
import { type Sale, saleOf } from '../offers/sale.ts';
import { type Cashier, paymentRequired } from '../offers/terms.ts';
import { shownProof } from '../records/shown-proof.ts';
import type { TakenUse } from '../records/uses.ts';
import { isFailure } from './is-failure.ts';
import { notSetUp } from './not-set-up.ts';
import type { TakePayment } from './take-payment.ts';

/** Do some work once it is paid for. */
export type Sell = <Result>(
  offer: Offer,
  input: Input,
  context: CallContext,
  work: () => Promise<Result>,
) => Promise<Result>;

export interface CounterParts {
  readonly accepted: Accepted;
  readonly cashier: Cashier;
  readonly spendings: Spendings;
  readonly house: Pick<House, 'tenants' | 'address' | 'prices' | 'now' | 'confirm'>;
  /** Loaded with the first payment: it brings along what speaks with chains. */
  readonly loadTill: () => Promise<TakePayment>;
  /** Take a use of a tool that a caller has bought; absent where none is sold. */
  readonly takeUse: ((caller: Caller, tool: string) => Promise<TakenUse | undefined>) | undefined;
  /** What plans are billed for; absent where none is. */
  readonly meteredUses: Pick<MeteredUses, 'keep'> | undefined;
  /** Hears when somebody is told how to pay. */
  readonly onChallenge: () => void;
}

/** Make what tells callers how to pay, and hands their payments on. */
export function createCounter(parts: CounterParts): Sell {
  const { accepted, cashier, house, loadTill, onChallenge } = parts;
  return async (offer, input, context, work) => {
    const sale = await withSignedOffers(saleOf(offer, input, context, house), cashier, context);
    const shown = shownProof(context);
    // HEAD tells what GET would cost, and gives nothing that could be paid for.
    if (shown === undefined || context.http?.method === 'HEAD') {
      const free = await workByPlan(parts, sale, context, work);
      if (free !== undefined) return free.result;
      const bought = await workByUse(parts, offer, context, work);
      if (bought !== undefined) return bought.result;
      await requireBudgets(parts, sale, context);
      onChallenge();
      throw paymentRequired(sale, cashier);
    }
    if (!isAnyPayable(accepted)) throw notSetUp();
    const take = await loadTill();
    const approve = async () => {
      // Nothing of the payment is used yet: it is good for the call that comes again.
      if (needsApproval(offer, house)) {
        await house.confirm.require(offer.operation, input, context);
      }
    };
    return take(shown, sale, context, { approve, run: work });
  };
}

/** What is asked for is signed before anybody is told of it. */
async function withSignedOffers(
  sale: Sale,
  { notary }: Cashier,
  { caller }: CallContext,
): Promise<Sale> {
  const { accepts } = sale.offer;
  if (notary === undefined || accepts.length === 0) return sale;
  const offers = await notary.offers(caller.tenant, sale.url, accepts);
  return offers.length === 0 ? sale : { ...sale, offers };
}

/** Whether a person has to agree to each payment for something. */
export function needsApproval(
  { price }: Pick<Offer, 'price'>,
  { prices }: Pick<House, 'prices'>,
): boolean {
  const { approveAbove } = prices.spending;
  return approveAbove !== undefined && exact(price.amount) > exact(approveAbove);
}

/** Do it for nothing, or for the bill of a plan, where that still has a use; one that failed is none. */
async function workByPlan<Result>(
  { spendings, meteredUses }: CounterParts,
  { plans, target: operation }: Sale,
  context: CallContext,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  if (plans.length === 0) return undefined;
  const { caller } = context;
  const taken = await spendings.takeOne(caller.tenant, plans);
  if (taken === undefined) return undefined;
  const { rule: plan, meter } = taken;
  const { tenant, subject } = caller;
  const use = meter && { tenant, subject, operation, plan, meter };
  const bill = async () => (use === undefined ? undefined : meteredUses?.keep(use));
  try {
    const result = await work();
    if (isFailure(result)) await spendings.giveBack(tenant, [taken]);
    // What cannot be billed is not handed out.
    else await bill();
    return { result };
  } catch (error) {
    // What a client has left may have been done all the same: it would be free as often as it leaves.
    if (hasLeft(context)) await bill();
    else await spendings.giveBack(tenant, [taken]);
    throw error;
  }
}

/** The server says why it stops a call itself, with what is told to the client. */
function hasLeft({ signal }: CallContext): boolean {
  const { reason } = signal;
  return signal.aborted && !(reason instanceof ServiceError || reason instanceof ToolError);
}

/** Do it for a use of it that was bought in a checkout session; one that failed is not used. */
async function workByUse<Result>(
  { takeUse }: CounterParts,
  { operation }: Offer,
  context: CallContext,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { caller } = context;
  if (takeUse === undefined || caller.isAnonymous === true || 'path' in operation) return undefined;
  const taken = await takeUse(caller, operation.name);
  if (taken === undefined) return undefined;
  try {
    const result = await work();
    if (isFailure(result)) await taken.giveBack();
    return { result };
  } catch (error) {
    // As with a plan: what a client has left may have been done.
    if (!hasLeft(context)) await taken.giveBack();
    throw error;
  }
}

/** Who may not spend it is told before anything is paid; the claim of a payment looks again. */
async function requireBudgets(
  { spendings, house }: CounterParts,
  { budgets }: Sale,
  { caller }: CallContext,
): Promise<void> {
  if (budgets.length === 0) return;
  const found = await spendings.look(caller.tenant, budgets);
  const exceeded = found.find(({ allows }) => !allows);
  if (exceeded !== undefined) throw budgetExceeded(exceeded, house.now());
}
