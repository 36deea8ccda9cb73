import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { storeWith } from '../../../../runtime/contract/house/store.ts';
import { cardShop, payByCard } from '../../../payments/cards/card-shop.ts';
import type { Intent, Refund } from '../../../payments/processor/books.ts';
import type { Processor } from '../../../payments/processor/processor.ts';
import { tell } from '../../../payments/processor/webhook.ts';
import { startWholeServer, type WholeServer } from '../../identity/whole-server.ts';

let shop: WholeServer & { readonly processor: Processor };
const ends: (() => unknown)[] = [];

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => unknown) };
  const { env, processor } = await cardShop(t);
  shop = { ...(await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' })), processor };
});

after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Pay for something, and give the charge with which it was paid. */
async function bought(): Promise<Intent> {
  const { processor, base } = shop;
  const paid = await payByCard(base, '/api', processor.mint());
  assert.equal(paid.status, 200, await paid.text());
  const intent = Object.values(processor.books.intents).at(-1);
  assert.ok(intent);
  return intent;
}

async function paymentOf({ id }: Intent): Promise<PaymentRow> {
  return storeWith<Tables>(shop.service.engines.store)
    .db.selectFrom('payment')
    .selectAll()
    .where('transaction_hash', '=', id)
    .executeTakeFirstOrThrow();
}

/** Wait until a payment has come to a state. */
async function reaches(intent: Intent, state: PaymentRow['state']): Promise<PaymentRow> {
  for (;;) {
    const row = await paymentOf(intent);
    if (row.state === state) return row;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Wait until nothing that was told is left to be done. */
async function allDone(): Promise<void> {
  for (;;) {
    const waiting = await storeWith<Tables>(shop.service.engines.store)
      .db.selectFrom('job')
      .select('key')
      .where('name', '=', 'payments-card-event')
      .execute();
    if (waiting.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function eventsNow(): Promise<number> {
  return (
    storeWith<Tables>(shop.service.engines.store)
      .db.selectFrom('card_event')
      .select(({ fn }) => fn.countAll().as('count'))
      // But the row that says how far they were listed.
      .where('id', 'like', 'evt_%')
      .executeTakeFirstOrThrow()
      .then(({ count }) => Number(count))
  );
}

test('what is not signed by the processor is 400 and changes nothing (Stripe-Signature, scheme v1)', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const dispute = processor.dispute(intent.id);
  const event = processor.event('charge.dispute.created', dispute);
  const [now, kept] = [Math.floor(Date.now() / 1000), await eventsNow()];
  for (const told of [
    { secret: 'whsec_another' },
    { header: '' },
    { header: 'v1=' },
    { header: `t=${now},v1=${'0'.repeat(64)}` },
    { at: now - 301 },
    // Ahead by more than clocks differ, however slow this machine is.
    { at: now + 3600 },
    { sent: JSON.stringify(event) },
    { sent: JSON.stringify({ ...event, id: 'evt_other' }, null, 2) },
    { sent: '' },
  ]) {
    const answer = await tell(base, event, told);
    assert.equal(answer.status, 400, JSON.stringify(told));
    assert.ok(!(await answer.text()).includes('whsec'));
  }
  assert.equal(await eventsNow(), kept);
  assert.equal((await paymentOf(intent)).state, 'delivered');
});

test('what is signed and is about nothing here is heard and forgotten', async () => {
  const { processor, base } = shop;
  const kept = await eventsNow();
  for (const event of [
    processor.event('customer.created', { object: 'customer', id: 'cus_1' }),
    processor.event('charge.dispute.created', { object: 'dispute', id: 'dp_1' }),
    processor.event('payment_intent.succeeded', { object: 'payment_intent', id: '../evil' }),
  ]) {
    const answer = await tell(base, event);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { received: true });
  }
  assert.equal(await eventsNow(), kept);
});

test('signed text that is no event is 400', async () => {
  for (const event of [[], { object: 'v2.core.event', id: 'evt_1' }, { id: 1, data: {} }]) {
    assert.equal((await tell(shop.base, event)).status, 400, JSON.stringify(event));
  }
});

test('a disputed payment gives its answer no more, and one that is won is what it was', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const dispute = processor.dispute(intent.id);
  const created = processor.event('charge.dispute.created', dispute);
  assert.equal((await tell(base, created)).status, 200);
  await reaches(intent, 'disputed');
  dispute.status = 'won';
  const closed = processor.event('charge.dispute.closed', dispute);
  await tell(base, closed);
  await reaches(intent, 'delivered');
  // Told again, and the other way round: nothing happens.
  await allDone();
  const asked = processor.asked.length;
  for (const event of [closed, created, created]) {
    assert.equal((await tell(base, event)).status, 200);
  }
  assert.equal(processor.asked.length, asked, 'what is known is asked for no more');
  assert.equal((await paymentOf(intent)).state, 'delivered');
});

test('the order in which things are told does not matter', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const dispute = processor.dispute(intent.id, 'lost');
  await tell(base, processor.event('charge.dispute.closed', dispute));
  await reaches(intent, 'disputed');
  await tell(
    base,
    processor.event('charge.dispute.created', { ...dispute, status: 'needs_response' }),
  );
  await tell(base, processor.event('payment_intent.succeeded', intent));
  await allDone();
  assert.equal((await paymentOf(intent)).state, 'disputed');
});

test('an inquiry of a bank takes nothing, and an event of a former dispute takes nothing either', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const dispute = processor.dispute(intent.id, 'won');
  await tell(base, processor.event('charge.dispute.created', { ...dispute, status: 'lost' }));
  await allDone();
  assert.equal(
    (await paymentOf(intent)).state,
    'delivered',
    'the processor is asked, not believed',
  );
});

test('what is given back at the processor is given back here, and a part of it is not', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const refund: Refund = {
    ...{ id: 're_part', object: 'refund', amount: 25, payment_intent: intent.id },
    ...{ metadata: {}, status: 'succeeded' },
  };
  processor.books.refunds[refund.id] = { ...refund };
  await tell(base, processor.event('charge.refunded', { ...refund, object: 'charge' }));
  await allDone();
  assert.equal((await paymentOf(intent)).state, 'delivered');
  processor.books.refunds['re_rest'] = { ...refund, id: 're_rest', amount: 100 };
  await tell(base, processor.event('charge.refunded', { ...refund, object: 'charge' }));
  const row = await reaches(intent, 'refunded');
  assert.notEqual(row.refund_hash, '');
});

test('a refund that fails is made again under another key', async () => {
  const { processor, base } = shop;
  const intent = await bought();
  const refund: Refund = {
    ...{ id: 're_first', object: 'refund', amount: 125, payment_intent: intent.id },
    ...{ metadata: {}, status: 'succeeded' },
  };
  processor.books.refunds[refund.id] = { ...refund };
  await tell(base, processor.event('charge.refunded', { ...refund, object: 'charge' }));
  await reaches(intent, 'refunded');
  processor.books.refunds[refund.id] = { ...refund, status: 'failed' };
  await tell(base, processor.event('refund.failed', { ...refund, status: 'failed' }));
  for (;;) {
    const { state, refund_hash } = await paymentOf(intent);
    if (state === 'refunded' && refund_hash !== refund.id) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const good = Object.values(processor.books.refunds).filter(
    (each) => each.payment_intent === intent.id && each.status === 'succeeded',
  );
  assert.deepEqual(
    good.map(({ amount }) => amount),
    [125],
  );
});

test('without a secret nothing is heard', async (t) => {
  const { env, processor } = await cardShop(t);
  const { SERVICE_CARD_WEBHOOK_SECRET: _, ...unset } = env;
  const { base } = await startWholeServer(t, { ...unset, SERVICE_AUTH: 'local' });
  const answer = await tell(base, processor.event('charge.refunded', {}));
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /SERVICE_CARD_WEBHOOK_SECRET/);
});
