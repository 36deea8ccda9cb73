import type { House } from '#contract/house/house';
import type { Price } from '#contract/operation';
import { routeTarget } from '#contract/payment/target';
import type { Route } from '#contract/surface/route';
import type { ToolDefinition } from '#contract/tool';
import type { Accepted } from '../offers/accepted.ts';
import { type Offer, offerOf } from '../offers/offer.ts';

/** Something that has a price. */
export type SoldItem = {
  /** As clients call it: `GET /api/v1`, or the name of a tool. */
  readonly id: string;
  readonly url: string;
  readonly price: Price;
} & (
  | { readonly kind: 'http'; readonly route: Route }
  | { readonly kind: 'mcp_tool'; readonly tool: ToolDefinition }
);

/** All that has a price at one address. */
export interface Sold {
  readonly base: string;
  readonly items: readonly SoldItem[];
}

/** What a tenant sells: what is charged and what is told comes from the same operations. */
export async function soldIn(
  tenant: string,
  { address, prices, tenants, tools }: Pick<House, 'address' | 'prices' | 'tenants' | 'tools'>,
): Promise<Sold> {
  const own = tenants.find(tenant)?.address ?? address;
  const url = (path: string) => own.of(path) ?? path;
  const routes = prices.routes.flatMap((route): SoldItem[] => {
    const { price } = route;
    if (price === undefined) return [];
    return [{ kind: 'http', id: routeTarget(route), url: url(route.path), price, route }];
  });
  const definitions = await Promise.all(
    Array.from(tools.names(tenant), (name) => tools.definition(name, tenant)),
  );
  const sold = definitions.flatMap((tool): SoldItem[] => {
    if (tool?.price === undefined) return [];
    return [{ kind: 'mcp_tool', id: tool.name, url: url(own.mcpPath), price: tool.price, tool }];
  });
  return { base: url('').replace(/\/$/, ''), items: [...routes, ...sold] };
}

/** How it can be paid: what callers are asked for is made of the same. */
export function offerOfItem(item: SoldItem, accepted: Accepted): Offer {
  const operation = item.kind === 'http' ? item.route : item.tool;
  return offerOf(operation, item.price, accepted);
}
