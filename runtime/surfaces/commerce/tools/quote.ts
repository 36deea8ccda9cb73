import type { CallContext, Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { Operation, Rail } from '#contract/operation';
import { routeTarget } from '#contract/payment/target';
import type { PaymentsQuoteResult } from '../../../../generated/surfaces/commerce/types.ts';
import type { Spending, Spendings } from '../budgets/spending.ts';
import { needsApproval } from '../engine/counter.ts';
import { isFreeFor } from '../engine/free-for.ts';
import type { Accepted } from '../offers/accepted.ts';
import { type Offer, offerOf } from '../offers/offer.ts';
import { saleOf } from '../offers/sale.ts';
import { nothingSetUp } from '../offers/terms.ts';

type QuotedRail = PaymentsQuoteResult['rails'][number];

export interface QuoteParts {
  readonly accepted: Accepted;
  readonly spendings: Pick<Spendings, 'look'>;
  readonly house: Pick<House, 'tenants' | 'address' | 'prices' | 'now' | 'tools'>;
}

/** What a call would cost its caller now: the same rules as where it is called, and nothing is counted. */
export async function quoteFor(
  parts: QuoteParts,
  name: string,
  context: CallContext,
): Promise<PaymentsQuoteResult> {
  const { accepted, spendings, house } = parts;
  const { caller } = context;
  const operation = await operationOf(name, caller, house);
  const { price } = operation;
  if (price === undefined) return { operation: name, pays: false, rails: [], budgets: [] };
  const offer = offerOf(operation, price, accepted);
  const { budgets, plans } = saleOf(offer, {}, context, house);
  const [spent, free] = [
    await spendings.look(caller.tenant, budgets),
    (await spendings.look(caller.tenant, plans)).find(({ allows }) => allows),
  ];
  const rails = railsOf(offer, accepted);
  const isTaken = rails.some(({ payable }) => payable);
  const why = isFreeFor(price, caller) ? 'you hold a scope for which it is free' : freeBy(free);
  return {
    ...{ operation: name, pays: why === undefined, ...(why !== undefined && { free: why }) },
    price: {
      ...{ amount: price.amount, currency: price.currency },
      ...(price.metered && { metered: price.metered }),
    },
    rails,
    ...(!isTaken && { unpayable: nothingSetUp }),
    budgets: spent.map(({ rule, limit, used, allows, until }) => ({
      ...{ name: rule, limit, used, currency: 'USD', allows },
      renews_at: new Date(until).toISOString(),
    })),
    needs_approval: needsApproval(offer, house),
  };
}

async function operationOf(
  name: string,
  caller: Caller,
  { prices, tools }: QuoteParts['house'],
): Promise<Operation> {
  const route = prices.routes.find((each) => routeTarget(each) === name);
  if (route !== undefined) return route;
  const definition = await tools.definition(name, caller.tenant);
  const seen = definition && tools.seenBy(caller, definition);
  if (seen !== undefined) return seen;
  const near = await tools.suggest(name, caller);
  const meant = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
  const message = `there is no tool and no priced route ${JSON.stringify(name)}${meant}`;
  throw new ServiceError('not_found', 404, message);
}

function freeBy(plan: Spending | undefined): string | undefined {
  if (plan === undefined) return undefined;
  const until = new Date(plan.until).toISOString();
  const bill = plan.meter ? ', each of which is billed to its holder' : '';
  return `the ${plan.rule} allows ${plan.limit} uses until ${until}, of which ${plan.used} are used${bill}`;
}

function railsOf(
  { rails, accepts, charge, card }: Offer,
  { chain }: Accepted,
): PaymentsQuoteResult['rails'] {
  const { network, payTo, isPayable } = chain;
  const onChain = { network, pay_to: payTo, payable: isPayable };
  const ways: Readonly<Record<Rail, readonly QuotedRail[]>> = {
    x402: accepts.map(({ scheme, amount, asset }) => {
      return { ...{ rail: 'x402', method: scheme, amount, asset }, ...onChain };
    }),
    mpp: charge
      ? [
          {
            ...{ rail: 'mpp', method: 'evm/charge', amount: charge.amount, ...onChain },
            asset: charge.currency,
          },
        ]
      : [],
    card: card
      ? [
          {
            ...{ rail: 'card', method: 'stripe/charge', amount: card.amount, asset: card.currency },
            payable: true,
          },
        ]
      : [],
  };
  return rails.flatMap((rail) => ways[rail]);
}
