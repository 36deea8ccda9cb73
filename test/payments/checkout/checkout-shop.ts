import type { TestContext } from 'node:test';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { type CardShop, cardShop } from '../cards/card-shop.ts';
import type { Chain } from '../chain.ts';
import { openShop, type Shop } from '../shop.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One use costs a quarter of a dollar: too little for a card, but not several together. */
const policy = `prices:
  tool:service_status: { amount: '0.25', currency: USD }
  tool:payments_quote: { amount: '0.001', currency: USD }
  tool:hackernews_item: { amount: '1', currency: USD, rails: [card] }
  tool:crossref_works_search: { amount: '1', currency: USD, rails: [x402] }
  tool:crossref_works_get: { amount: '1', currency: USD, rails: [mpp] }
`;

export interface CheckoutShop extends Shop {
  readonly card: CardShop;
}

/** A server that sells uses of its tools in checkout sessions, for cards and on a chain. */
export async function openCheckoutShop(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
  chain?: Chain,
): Promise<CheckoutShop> {
  const card = await cardShop(t, policy);
  const previews = { SERVICE_ACP_PREVIEW: 'yes', SERVICE_UCP_PREVIEW: 'yes' };
  const shop = await openShop(t, {
    env: { ...card.env, ...previews, ...env },
    ...(chain && { chain }),
  });
  return { ...shop, card };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

let keys = 0;

/** Ask as a client of ACP does. */
export async function acp(
  base: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  keys += 1;
  const all = {
    'api-version': '2026-04-17',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'idempotency-key': `key-${keys}`,
    }),
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const response = await fetch(`${base}/acp${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: Object.fromEntries(given) as Record<string, string>,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answered = (await response.json()) as Json;
  return { status: response.status, headers: response.headers, body: answered };
}

/** What a client of ACP wants to buy. */
export function wanted(...items: readonly Json[]): Json {
  return { line_items: items, currency: 'usd', capabilities: {} };
}

/** How it pays with a token. */
export function byCard(token: string): Json {
  const credential = { type: 'spt', token };
  return { payment_data: { handler_id: 'card', instrument: { type: 'card', credential } } };
}

/** How it pays on a chain. */
export function onChain(token: string): Json {
  const credential = { type: 'x402', token };
  return { payment_data: { handler_id: 'x402', instrument: { type: 'x402', credential } } };
}

/** Call a tool; whether it was done, and what was answered. */
export async function callTool(url: URL, name: string): Promise<Json> {
  const { body } = await legacy(url, { method: 'tools/call', params: { name, arguments: {} } });
  return body.result as unknown as Json;
}

/** The config of a payment handler of a session. */
export function handlerIn(session: Json, id: string): Json {
  const { payment } = session['capabilities'] as { payment: { handlers: readonly Json[] } };
  return payment.handlers.find((handler) => handler['id'] === id)?.['config'] as Json;
}
