import assert from 'node:assert/strict';
import test from 'node:test';
import { merchant, signedFor } from '../shop.ts';
import {
  acp,
  byCard,
  callTool,
  handlerIn,
  type Json,
  onChain,
  openCheckoutShop,
  wanted,
} from './checkout-shop.ts';

test('an agent buys uses of a tool by card in a checkout session, and uses them (ACP)', async (t) => {
  const { base, url, card } = await openCheckoutShop(t);
  const body = wanted({ id: 'service_status' }, { id: 'service_status', quantity: 3 });
  const begun = await acp(base, '/checkout_sessions', body, { 'request-id': 'r-1' });
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  assert.equal(begun.headers.get('request-id'), 'r-1');
  const { id, status, totals } = begun.body as Json & { readonly totals: readonly Json[] };
  assert.equal(status, 'ready_for_payment');
  assert.equal(totals.find(({ type }) => type === 'total')?.['amount'], 100);
  assert.equal((await callTool(url, 'service_status'))['isError'], true, 'nothing is bought yet');

  const path = `/checkout_sessions/${String(id)}/complete`;
  const declined = await acp(base, path, byCard(card.processor.mint('card_declined')));
  assert.equal(declined.status, 200);
  assert.equal(declined.body['status'], 'ready_for_payment');
  assert.match(JSON.stringify(declined.body['messages']), /payment_declined.*card_declined/);
  assert.equal(card.processor.balance, 0);

  const token = card.processor.mint('succeeded', { most: 100, currency: 'usd' });
  const key = { 'idempotency-key': 'once' };
  const paid = await acp(base, path, byCard(token), key);
  assert.equal(paid.body['status'], 'completed', JSON.stringify(paid.body));
  assert.equal(paid.headers.get('idempotency-key'), 'once');
  const again = await acp(base, path, byCard(token), key);
  assert.deepEqual(again.body, paid.body);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(card.processor.balance, 100);

  for (let use = 0; use < 4; use += 1) {
    const result = await callTool(url, 'service_status');
    assert.notEqual(result['isError'], true, JSON.stringify(result));
  }
  assert.equal((await callTool(url, 'service_status'))['isError'], true, 'all four are used');
  const { permalink_url: link } = paid.body['order'] as { readonly permalink_url: string };
  const order = (await (await fetch(link)).json()) as Json;
  assert.equal(order['status'], 'completed');
  assert.match(JSON.stringify(order['line_items']), /0 of 4 are left/);
});

test('the same is paid on a chain, and once for however many who try', async (t) => {
  const { base, url, chain } = await openCheckoutShop(t);
  const begun = await acp(base, '/checkout_sessions', wanted({ id: 'service_status' }));
  const { accepts } = handlerIn(begun.body, 'x402') as { readonly accepts: readonly Json[] };
  assert.equal(accepts[0]?.['amount'], '250000');
  assert.equal(handlerIn(begun.body, 'card'), undefined, 'it is too little for a card');
  const path = `/checkout_sessions/${String(begun.body['id'])}/complete`;
  const before = await chain.balanceOf(merchant.address);
  const payments = await Promise.all(Array.from({ length: 8 }, () => signedFor(accepts[0])));
  const answers = await Promise.all(payments.map((each) => acp(base, path, onChain(each))));
  const done = answers.filter(({ body }) => body['status'] === 'completed');
  assert.equal(done.length, 1, JSON.stringify(answers.map(({ body }) => body)));
  for (const { status, body } of answers) {
    assert.ok(status === 200 || status === 409, JSON.stringify(body));
  }
  assert.equal((await chain.balanceOf(merchant.address)) - before, 250_000n);
  assert.notEqual((await callTool(url, 'service_status'))['isError'], true);
  assert.equal((await callTool(url, 'service_status'))['isError'], true);
});
