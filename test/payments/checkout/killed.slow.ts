import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { type Served, serve } from '../../runtime/cli/served.ts';
import { Chain } from '../chain.ts';
import { merchant, payer, type Shop, signedFor } from '../shop.ts';
import {
  acp,
  byCard,
  handlerIn,
  type Json,
  onChain,
  openCheckoutShop,
  wanted,
} from './checkout-shop.ts';

const total = 100;
const order = wanted({ id: 'service_status', quantity: 4 });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Kill a server in the middle of a sale, and start it again. */
async function killed(
  t: TestContext,
  { child, dataDir, env }: Shop,
  what: { readonly asked: Promise<unknown>; readonly meanwhile?: string },
): Promise<Served> {
  const lost = assert.rejects(what.asked);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await lost;
  if (what.meanwhile !== undefined) {
    const store = new DatabaseSync(join(dataDir, 'data', 'store.db'));
    store.exec(what.meanwhile);
    store.close();
  }
  return serve(t, env);
}

/** What a store holds that died between two steps: the later ones are taken back. */
const before = {
  'the claim of its payment': 'DELETE FROM payment',
  'its charge': "UPDATE payment SET state = 'claimed'",
} as const;

for (const [step, meanwhile] of Object.entries(before)) {
  test(`killed before ${step}, a session is open at once, and a retry completes it`, async (t) => {
    const shop = await openCheckoutShop(t);
    const { processor } = shop.card;
    const { body } = await acp(shop.base, '/checkout_sessions', order);
    const path = `/checkout_sessions/${String(body['id'])}`;
    processor.happen('POST /v1/payment_intents', 'held');
    const key = { 'idempotency-key': 'a sale' };
    const paid = byCard(processor.mint());
    const asked = acp(shop.base, `${path}/complete`, paid, key);
    await until(() => processor.asked.some(({ method }) => method === 'POST'));
    const { url } = await killed(t, shop, { asked, meanwhile });
    const found = await acp(url.origin, path);
    assert.equal(found.body['status'], 'ready_for_payment', JSON.stringify(found.body));
    const again = await acp(url.origin, `${path}/complete`, paid, key);
    assert.equal(again.body['status'], 'completed', JSON.stringify(again.body));
    assert.equal(processor.balance, total);
  });
}

test('killed before the processor had heard of it, a retry completes a session', async (t) => {
  const shop = await openCheckoutShop(t);
  const { processor } = shop.card;
  const { body } = await acp(shop.base, '/checkout_sessions', order);
  const path = `/checkout_sessions/${String(body['id'])}/complete`;
  processor.happen('POST /v1/payment_intents', 'held');
  const key = { 'idempotency-key': 'a sale' };
  const paid = byCard(processor.mint());
  const asked = acp(shop.base, path, paid, key);
  await until(() => processor.asked.some(({ method }) => method === 'POST'));
  const { url } = await killed(t, shop, { asked });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => acp(url.origin, path, paid, key)),
  );
  const done = answers.filter(({ body: told }) => told['status'] === 'completed');
  assert.ok(done.length > 0, JSON.stringify(answers.map(({ body: told }) => told)));
  assert.equal(processor.balance, total);
});

test('killed before the answer of the processor came, a session is completed by whoever asks', async (t) => {
  const shop = await openCheckoutShop(t);
  const { processor } = shop.card;
  const { body } = await acp(shop.base, '/checkout_sessions', order);
  const path = `/checkout_sessions/${String(body['id'])}`;
  processor.happen('POST /v1/payment_intents', 'done and silent');
  const key = { 'idempotency-key': 'a sale' };
  const paid = byCard(processor.mint());
  const asked = acp(shop.base, `${path}/complete`, paid, key);
  await until(() => processor.balance > 0);
  const { url } = await killed(t, shop, { asked });
  const other = await acp(url.origin, `${path}/complete`, byCard(processor.mint()));
  assert.equal(other.status, 409, JSON.stringify(other.body));
  const again = await acp(url.origin, `${path}/complete`, paid, key);
  assert.equal(again.body['status'], 'completed', JSON.stringify(again.body));
  assert.deepEqual((await acp(url.origin, `${path}/complete`, paid, key)).body, again.body);
  assert.equal((await acp(url.origin, path)).body['status'], 'completed');
  assert.equal(processor.balance, total);
  const [{ id = '' } = {}] = [again.body['order'] as { readonly id: string }];
  const bought = (await (await fetch(`${url.origin}/checkout/orders/${id}`)).json()) as Json;
  assert.match(JSON.stringify(bought['line_items']), /4 of 4 are left/);
});

test('killed while a payment waits for its block, a retry completes a session once', async (t) => {
  const chain = await Chain.start({ minesAlone: false });
  t.after(() => chain.stop());
  const shop = await openCheckoutShop(t, {}, chain);
  const { body } = await acp(shop.base, '/checkout_sessions', order);
  const path = `/checkout_sessions/${String(body['id'])}/complete`;
  const { accepts } = handlerIn(body, 'x402') as { readonly accepts: readonly Json[] };
  const key = { 'idempotency-key': 'a sale' };
  const paid = onChain(await signedFor(accepts[0]));
  const had = await chain.balanceOf(payer.address);
  const asked = acp(shop.base, path, paid, key);
  await until(async () => (await chain.waiting()) > 0);
  const { url } = await killed(t, shop, { asked });
  const other = await acp(url.origin, path, onChain(await signedFor(accepts[0])));
  assert.equal(other.body['status'], 'complete_in_progress', JSON.stringify(other.body));
  const retried = acp(url.origin, path, paid, key);
  await until(async () => (await chain.waiting()) > 1);
  await chain.mineAlways();
  const again = await retried;
  assert.equal(again.body['status'], 'completed', JSON.stringify(again.body));
  assert.equal(await chain.balanceOf(merchant.address), 1_000_000n);
  assert.equal(await chain.balanceOf(payer.address), had - 1_000_000n);
});
