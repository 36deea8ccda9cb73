import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock, type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { CommerceTables, PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import { type Served, serve } from '../../runtime/cli/served.ts';
import { startWholeServer } from '../../surfaces/identity/whole-server.ts';
import { cardShop } from '../cards/card-shop.ts';
import type { Chain } from '../chain.ts';
import { acp, byCard, handlerIn, type Json, onChain, wanted } from '../checkout/checkout-shop.ts';
import { acceptsIn, paidOnChain } from '../checkout/paid-on-chain.ts';
import { reachesPlatform, startPlatform, ucp } from '../checkout/platform.ts';
import type { Processor } from '../processor/processor.ts';
import { merchant, openShop, payer, signedFor } from '../shop.ts';
import { auditedClaims, sleep } from './campaign.ts';

const policy = "prices:\n  tool:service_status: { amount: '0.25', currency: USD }\n";
/** What one use costs, in the smallest unit of the token and in cents. */
const [unit, cents] = [250_000n, 25];
const quantity = 2;
/** Later than anything that was begun may take, and sooner than sessions end. */
const laterMs = 7_200_000;

type How = 'card' | 'chain' | 'ucp';

interface Sale {
  readonly id: string;
  readonly how: How;
  /** Pay for it, at whichever server. */
  readonly complete: (base: string) => Promise<Json>;
  readonly look: (base: string) => Promise<Json>;
  isAnswered: boolean;
}

export interface SalesCampaign {
  readonly chain: Chain;
  readonly kills: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whether everybody whose answer was lost asks again, so that all is sold in the end. */
  readonly isRetried?: boolean;
  /** What else is struck for the `kill`th time. */
  readonly strike: (kill: number) => Promise<unknown>;
}

/**
 * Sell in checkout sessions of both protocols, by card and on a chain, kill the server at random moments,
 * and hold processor, chain, sessions, ledger and audit log together at the end.
 */
export async function fightSales(
  t: TestContext,
  { chain, kills, env: more, isRetried = false, strike }: SalesCampaign,
) {
  const before = await chain.balanceOf(payer.address);
  const { env: card, processor } = await cardShop(t, policy);
  const { url: platform } = await startPlatform(t);
  const first = await openShop(t, {
    chain,
    env: {
      ...{ ...card, ...reachesPlatform, ...more },
      ...{ SERVICE_ACP_PREVIEW: 'yes', SERVICE_UCP_PREVIEW: 'yes' },
    },
  });
  const env = { ...first.env };
  const sales: Sale[] = [];
  let server: Served | undefined = first;
  // However busy this machine is, the moments lie between the first step of a sale and its last.
  let spanMs = 1500;
  for (let kill = 0; kill < kills; kill += 1) {
    const running: Served = server ?? (await serve(t, env));
    const base = running.url.origin;
    if (isRetried) await again(base, sales);
    const made = await Promise.all(
      (['card', 'chain', 'ucp', 'card', 'chain', 'ucp'] as const).map((how) =>
        begin(base, how, processor, `${platform}/profile`),
      ),
    );
    sales.push(...made);
    const asked = Promise.all(made.map((sale) => pay(base, sale)));
    await sleep(Math.random() * spanMs);
    const done = made.filter(({ isAnswered }) => isAnswered).length;
    if (done === 0) spanMs *= 1.3;
    else if (done === made.length) spanMs *= 0.8;
    running.child.kill('SIGKILL');
    await Promise.all([once(running.child, 'exit'), strike(kill)]);
    server = undefined;
    await asked;
  }
  if (isRetried) {
    const { child, url } = await serve(t, env);
    await again(url.origin, sales);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await settled(t, { env, chain, processor, sales, before, isRetried });
}

async function begin(base: string, how: How, processor: Processor, agent: string): Promise<Sale> {
  if (how === 'ucp') {
    const items = { line_items: [{ item: { id: 'service_status' }, quantity }] };
    const { body } = await ucp(base, '', agent, items);
    const paid = paidOnChain(await signedFor(acceptsIn(body)));
    const id = String(body['id']);
    const complete = async (at: string) => (await ucp(at, `/${id}/complete`, agent, paid)).body;
    const look = async (at: string) => (await ucp(at, `/${id}`, agent)).body;
    return { id, how, complete, look, isAnswered: false };
  }
  const { body } = await acp(
    base,
    '/checkout_sessions',
    wanted({ id: 'service_status', quantity }),
  );
  const id = String(body['id']);
  const { accepts } = handlerIn(body, 'x402') as { readonly accepts: readonly Json[] };
  const paid = how === 'card' ? byCard(processor.mint()) : onChain(await signedFor(accepts[0]));
  const path = `/checkout_sessions/${id}/complete`;
  return {
    ...{ id, how, isAnswered: false },
    complete: async (at) => (await acp(at, path, paid, { 'idempotency-key': id })).body,
    look: async (at) => (await acp(at, `/checkout_sessions/${id}`)).body,
  };
}

/** Ask for the same again until it is sold. */
async function again(base: string, sales: readonly Sale[]): Promise<void> {
  const lost = sales.filter(({ isAnswered }) => !isAnswered);
  await Promise.all(
    lost.map(async (sale) => {
      while (!sale.isAnswered) {
        await sale.complete(base);
        sale.isAnswered = (await sale.look(base))['status'] === 'completed';
        if (!sale.isAnswered) await sleep(500);
      }
    }),
  );
}

async function pay(base: string, sale: Sale): Promise<void> {
  const answer = await sale.complete(base).catch(() => undefined);
  sale.isAnswered = answer?.['status'] === 'completed';
}

interface Field {
  readonly env: Readonly<Record<string, string>>;
  readonly chain: Chain;
  readonly processor: Processor;
  readonly sales: readonly Sale[];
  /** What the payer had. */
  readonly before: bigint;
  readonly isRetried: boolean;
}

/** Hours later, another process looks after all that was begun. */
async function settled(t: TestContext, field: Field): Promise<void> {
  const { env, chain, processor, sales, before, isRetried } = field;
  const now = Date.now;
  mock.method(Date, 'now', () => now() + laterMs);
  t.after(() => mock.restoreAll());
  const { service } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
  const { db } = storeWith<CommerceTables>(service.engines.store);
  const rows = async (): Promise<readonly PaymentRow[]> =>
    db.selectFrom('payment').selectAll().execute();
  const isOpen = ({ state }: PaymentRow) =>
    !['delivered', 'rejected', 'failed', 'refunded'].includes(state);
  while ((await rows()).some(isOpen)) {
    await service.commands['payments']?.(['reconcile'], {}).catch(() => {});
    await sleep(500);
  }

  const ended = await rows();
  const delivered = ended.filter(({ state }) => state === 'delivered');
  const refunded = ended.filter(({ state }) => state === 'refunded').length;
  if (isRetried) assert.equal(delivered.length, sales.length, 'whoever asks again gets it');
  const byCards = delivered.filter(({ rail }) => rail === 'card').length;
  const onChains = BigInt(delivered.length - byCards) * unit * BigInt(quantity);
  assert.equal(processor.balance, byCards * cents * quantity, 'the processor has what was sold');
  assert.equal(await chain.balanceOf(merchant.address), onChains, 'and so has the chain');
  assert.equal(await chain.balanceOf(payer.address), before - onChains);

  // What was paid and kept is an order with its uses, and nothing else is.
  const sessions = await db.selectFrom('checkout_session').selectAll().execute();
  const uses = await db.selectFrom('checkout_use').selectAll().execute();
  const kept = new Set(delivered.map(({ id }) => id));
  const orders = sessions.filter(({ state }) => state === 'completed');
  const good = orders.filter(({ payment }) => kept.has(payment));
  assert.equal(good.length, delivered.length);
  for (const { id, payment } of good) {
    const own = uses.filter((use) => use.session === id);
    assert.deepEqual(
      own.map((use) => [use.payment, use.bought, use.used]),
      [[payment, quantity, 0]],
    );
  }
  for (const { id } of sales.filter(({ isAnswered }) => isAnswered)) {
    assert.ok(
      good.some((order) => order.id === id),
      'nobody has an order whose money went back',
    );
  }
  assert.deepEqual(await auditedClaims(service), {
    settled: delivered.length + refunded,
    refunded,
  });
  const told = await service.commands['payments']?.(['reconcile'], {});
  assert.match(String(told), /movements found where the money is/);
  const answered = sales.filter(({ isAnswered }) => isAnswered).length;
  t.diagnostic(
    `${sales.length} sales, ${delivered.length} delivered (${byCards} by card), ${refunded} given back, ${answered} answered`,
  );
}
