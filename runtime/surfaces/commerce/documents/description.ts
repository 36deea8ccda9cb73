import type { JsonObject } from '#contract/json';
import { mostPricedTools } from '../numbers.ts';
import type { Accepted } from '../offers/accepted.ts';
import { offerOfItem, type Sold, type SoldItem } from './sold.ts';

/** What is sold over HTTP, as an OpenAPI description with prices (draft-payment-discovery-00). */
export function description(
  { base, items }: Sold,
  accepted: Accepted,
  version: string,
): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const item of items) {
    if (item.kind !== 'http') continue;
    const { path, method } = item.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(item, accepted) };
  }
  // One path serves all tools: what each costs stands beside the paths.
  const tools = items
    .filter(({ kind }) => kind === 'mcp_tool')
    .slice(0, mostPricedTools)
    .map((item) => ({
      name: item.id,
      url: item.url,
      ...paymentInfo(item, accepted),
    }));
  return {
    openapi: '3.1.0',
    info: { title: 'Agent Tool Server', version },
    ...(base !== '' && { servers: [{ url: base }] }),
    'x-service-info': { categories: ['developer-tools'], docs: { llms: `${base}/llms.txt` } },
    paths,
    ...(tools.length > 0 && { 'x-mcp-tools': tools }),
  };
}

function operation(item: SoldItem, accepted: Accepted): JsonObject {
  const summary = item.kind === 'http' ? item.route.title : undefined;
  return {
    operationId: item.kind === 'http' ? item.route.name : item.id,
    ...(summary !== undefined && { summary }),
    ...paymentInfo(item, accepted),
    responses: {
      '200': { description: 'It was paid' },
      '402': { description: 'It has to be paid first, and how' },
    },
  };
}

/**
 * Readers that know one offer only look at one that stands there by itself; nothing is said of what
 * cannot be paid yet.
 */
function paymentInfo(item: SoldItem, accepted: Accepted): JsonObject {
  const { charge, x402, card } = offerOfItem(item, accepted);
  const { amount, currency, metered, card: byCard } = item.price;
  const own = byCard && { description: `${byCard.amount} ${byCard.currency}` };
  const description = metered
    ? `at most ${amount} ${currency}: ${metered.amount} for each ${metered.each}`
    : `${amount} ${currency}`;
  const onChain = charge ?? (x402 && { amount: x402.amount, currency: x402.asset });
  const offers = [
    ...(onChain ? [{ method: 'evm', amount: onChain.amount, currency: onChain.currency }] : []),
    ...(card ? [{ method: 'stripe', amount: card.amount, currency: card.currency, ...own }] : []),
  ].map((offer) => ({ intent: 'charge', description, ...offer }));
  const isProbe = item.id === 'GET /api/v1';
  const [first = {}] = offers;
  if (offers.length === 0) return {};
  return { 'x-payment-info': offers.length > 1 && !isProbe ? { offers } : first };
}
