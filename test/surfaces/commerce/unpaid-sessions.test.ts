import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallContext } from '#contract/caller';
import type { Operation } from '#contract/operation';
import type { CheckoutSessionRow } from '../../../generated/surfaces/commerce/tables.ts';
import { createCheckout } from '../../../runtime/surfaces/commerce/checkout/checkout.ts';
import type { CheckoutParts } from '../../../runtime/surfaces/commerce/checkout/checkout-parts.ts';
import { createSessions } from '../../../runtime/surfaces/commerce/checkout/sessions.ts';
import { keptSessionMs, mostUnpaidSessions } from '../../../runtime/surfaces/commerce/numbers.ts';
import { openTill } from './fake-till.ts';

test('who begins sessions and pays none of them begins no more of them in the end', async (t) => {
  const { store, clock } = await openTill(t);
  const now = () => clock.now;
  const sessions = createSessions(store, now);
  const left = 2;
  const row = (index: number): CheckoutSessionRow => ({
    ...{ tenant: 'default', id: `cs_${index}`, protocol: 'acp', subject: 's', platform: '' },
    ...{
      state: index < mostUnpaidSessions - left ? 'open' : 'canceled',
      demands: '',
      lines: '[]',
      attempt: 0,
    },
    ...{ fault: '', payment: '', created_at: now(), changed_at: now(), expires_at: now() + 1000 },
  });
  // Those that were cancelled do not count.
  const rows = Array.from({ length: mostUnpaidSessions }, (_, index) => row(index));
  await store.transaction(async (tx) => {
    for (const each of rows) await tx.insertInto('checkout_session').values(each).execute();
  });
  const tools = {
    definition: async () => ({ title: 'Status', price: { amount: '1', currency: 'USD' } }),
    seenBy: (_: unknown, tool: unknown) => tool,
  };
  const events = new Proxy({}, { get: () => async () => ({ seq: 1 }) });
  const parts = { sessions, events, house: { now, tools } } as unknown as CheckoutParts;
  const checkout = createCheckout('acp', {} as Operation, parts);
  const begin = (subject: string) => {
    const caller = { tenant: 'default', subject, scopes: [] };
    const context = { caller, callId: 'c' } as unknown as CallContext;
    return checkout.create([{ id: 'service_status', quantity: 1, param: '$' }], context);
  };
  const begun = await Promise.allSettled(Array.from({ length: 10 }, () => begin('s')));
  const done = begun.filter(({ status }) => status === 'fulfilled');
  assert.equal(done.length, left, 'however many come at once');
  const retryAfterMs = 1000 + keptSessionMs;
  await assert.rejects(begin('s'), { code: 'too_many_sessions', status: 429, retryAfterMs });
  await begin('somebody else');
});
