import type { JsonObject } from '#contract/json';
import type { Rail } from '#contract/operation';
import type { Plan } from '#contract/payment/spending';
import type { Accepted } from '../offers/accepted.ts';
import { ap2, type Previews } from './cards.ts';
import { offerOfItem, type Sold, type SoldItem } from './sold.ts';

/** What can be paid for, and by which means: `/.well-known/payments.json`, which no standard describes. */
export function paymentMethods(
  { base, items }: Sold,
  accepted: Accepted,
  updatedAt: number,
  previews: Previews,
  plans: readonly Plan[],
): JsonObject {
  const { chain, card } = accepted;
  const { network, asset, payTo, isPayable } = chain;
  const offered = items.map((item) => ({ item, ...offerOfItem(item, accepted) }));
  const by = (rail: Rail) =>
    offered.filter(({ rails }) => rails.includes(rail)).map(({ item }) => listed(item));
  const byCard = offered.flatMap(({ item, card: charge }) => {
    if (charge === undefined) return [];
    const { kind, id } = item;
    const { amount, currency } = item.price.card ?? item.price;
    return [{ kind, id, price: amount, currency }];
  });
  const isAnyOn = protocols.some((name) => previews[name]);
  const usual = isPayable ? 'x402' : null;
  return {
    version: '1',
    server_name: 'agent-tool-server',
    documentation: `${base}/openapi.json`,
    payment_methods: [
      {
        ...{ type: 'x402', enabled: isPayable, x402_version: 2, scheme: 'exact' },
        ...{ network, asset: asset.symbol, asset_contract: asset.address },
        ...(payTo !== '' && { pay_to: payTo }),
        resources: by('x402'),
      },
      {
        ...{ type: 'mpp', enabled: isPayable },
        description: 'evm/charge with an authorization of EIP-3009',
        openapi: `${base}/openapi.json`,
        resources: by('mpp'),
      },
      ...(card
        ? [
            {
              ...{ type: 'card', enabled: true, billing: 'per_use', minimum: card.minimum },
              description: 'stripe/charge of MPP with a shared payment token',
              payment_method_types: card.methods,
              resources: byCard,
            },
          ]
        : []),
      ...metersOf(plans),
    ],
    default: usual ?? (card ? 'card' : null),
    native_rails: card ? ['x402', 'mpp', 'card'] : ['x402', 'mpp'],
    planned_protocols: protocols.filter((name) => !previews[name]),
    ...(isAnyOn && { preview_protocols: protocols.filter((name) => previews[name]) }),
    ap2_extension: ap2,
    updated_at: new Date(updatedAt).toISOString(),
  };
}

/** How plans are billed: by each meter those that it is read for. */
function metersOf(plans: readonly Plan[]): readonly JsonObject[] {
  const billed = Map.groupBy(plans, ({ meter }) => meter?.event);
  return [...billed].flatMap(([event, of]) => {
    if (event === undefined) return [];
    const names = of.map(({ name }) => name);
    const billing = { billing: 'metered', meter_event_name: event, plans: names };
    return [{ type: 'card', enabled: true, ...billing }];
  });
}

const protocols = ['ap2', 'acp', 'ucp'] as const;

function listed({ kind, id, price }: SoldItem): JsonObject {
  const { amount, metered } = price;
  const what = { kind, id, price_usdc: amount, asset: 'USDC' };
  if (metered === undefined) return what;
  return { ...what, scheme: 'upto', metered: { ...metered } };
}
