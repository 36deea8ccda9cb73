import assert from 'node:assert/strict';
import test from 'node:test';
import { signedFor } from '../shop.ts';
import { callTool, type Json, openCheckoutShop } from './checkout-shop.ts';
import { acceptsIn, paidOnChain } from './paid-on-chain.ts';
import { reachesPlatform, startPlatform, ucp } from './platform.ts';

const item = { item: { id: 'service_status' }, quantity: 2 };

function codeIn({ body }: { readonly body: Json }): unknown {
  return (body['messages'] as readonly Json[] | undefined)?.[0]?.['code'];
}

test('an agent buys uses of a tool in a checkout session (UCP)', async (t) => {
  const platform = await startPlatform(t);
  const { base, url, card } = await openCheckoutShop(t, reachesPlatform);
  const agent = `${platform.url}/profile`;
  const begun = await ucp(base, '', agent, { line_items: [item] });
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  assert.equal(begun.body['status'], 'ready_for_complete');
  const path = `/${String(begun.body['id'])}`;
  const more = { line_items: [{ ...item, quantity: 3 }] };
  const changed = await ucp(base, path, agent, more, 'PUT');
  assert.equal(acceptsIn(changed.body)['amount'], '750000');
  const token = card.processor.mint('succeeded', { most: 75, currency: 'usd' });
  const instrument = {
    id: 'i',
    handler_id: 'card',
    type: 'card',
    credential: { type: 'spt', token },
  };
  const paid = await ucp(base, `${path}/complete`, agent, {
    payment: { instruments: [instrument] },
  });
  assert.equal(paid.body['status'], 'completed', JSON.stringify(paid.body));
  assert.equal(card.processor.balance, 75);
  assert.notEqual((await callTool(url, 'service_status'))['isError'], true);
  const late = await ucp(base, `${path}/cancel`, agent, {});
  assert.deepEqual([late.status, codeIn(late)], [405, 'checkout_completed']);
});

test('what a platform gets wrong is told in the shapes and codes of UCP', async (t) => {
  const platform = await startPlatform(t);
  const { base } = await openCheckoutShop(t, reachesPlatform);
  const body = { line_items: [item] };
  const unlike = {
    line_items: ['hackernews_item', 'crossref_works_search'].map((id) => ({
      item: { id },
      quantity: 1,
    })),
  };
  const cases = [
    [undefined, body, 400, 'invalid_profile_url'],
    ['not a url', body, 400, 'invalid_profile_url'],
    ['http://10.0.0.1/profile', body, 400, 'invalid_profile_url'],
    [`${platform.url}/broken`, body, 422, 'profile_malformed'],
    [`${platform.url}/old`, body, 422, 'version_unsupported'],
    [`${platform.url}/catalog`, body, 200, 'capabilities_incompatible'],
    [`${platform.url}/profile`, { line_items: [] }, 400, 'invalid_request'],
    [
      `${platform.url}/profile`,
      { line_items: [{ item: { id: 'x' }, quantity: 1 }] },
      200,
      'item_unavailable',
    ],
    [`${platform.url}/profile`, unlike, 200, 'item_unavailable'],
    [`${platform.url}/profile`, { line_items: [{ ...item, quantity: 0 }] }, 400, 'invalid_request'],
  ] as const;
  for (const [agent, asked, status, code] of cases) {
    const answer = await ucp(base, '', agent, asked);
    assert.deepEqual([answer.status, codeIn(answer)], [status, code], JSON.stringify(answer.body));
    assert.equal((answer.body['ucp'] as Json)['status'], 'error');
  }
  const agent = `${platform.url}/profile`;
  assert.equal(codeIn(await ucp(base, '/cs_of_nobody', agent)), 'not_found');
  const { body: session } = await ucp(base, '', agent, body);
  const other = await signedFor(acceptsIn(session), { amount: '1' });
  const path = `/${String(session['id'])}/complete`;
  const declined = await ucp(base, path, agent, paidOnChain(other));
  assert.equal(declined.body['status'], 'ready_for_complete');
  assert.equal(codeIn(declined), 'payment_declined');
});
