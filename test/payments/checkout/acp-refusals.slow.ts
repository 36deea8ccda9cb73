import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { runCli } from '../../runtime/cli/run-cli.ts';
import { signedFor } from '../shop.ts';
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
import { reachesPlatform } from './platform.ts';

const one = wanted({ id: 'service_status' });
const unlike = wanted(
  ...['service_status', 'hackernews_item', 'crossref_works_search'].map((id) => ({ id })),
);
const four = wanted({ id: 'service_status', quantity: 4 });

test('what a client gets wrong is told in the shape and the codes of ACP, and nothing is charged', async (t) => {
  const { base, card } = await openCheckoutShop(t);
  const none = { 'idempotency-key': undefined };
  const cases = [
    [one, { 'api-version': undefined }, 400, 'missing_api_version'],
    [one, { 'api-version': '2025-09-29' }, 400, 'unsupported_api_version'],
    [one, none, 400, 'idempotency_key_required'],
    [{}, {}, 400, 'invalid_request'],
    [wanted({ id: 'nothing' }), {}, 400, 'invalid_item_id'],
    [wanted({ id: 'payments_quote' }), {}, 400, 'invalid_item_id'],
    [{ ...one, currency: 'eur' }, {}, 400, 'unsupported_currency'],
    [wanted({ id: 'service_status', quantity: 0 }), {}, 400, 'invalid_request'],
    [wanted({ id: 'service_status', quantity: 1_000_001 }), {}, 400, 'invalid_request'],
    [wanted({ id: 'service_status', quantity: 1e21 }), {}, 400, 'invalid_request'],
  ] as const;
  for (const [body, headers, status, code] of cases) {
    const answer = await acp(base, '/checkout_sessions', body, headers);
    assert.deepEqual([answer.status, answer.body['code']], [status, code]);
    assert.equal(answer.body['type'], 'invalid_request');
    assert.equal(typeof answer.body['message'], 'string');
  }
  const apart = await acp(base, '/checkout_sessions', unlike);
  assert.deepEqual([apart.status, apart.body['code']], [400, 'items_not_payable_together']);
  assert.equal(
    apart.body['message'],
    'these cannot be paid together: hackernews_item is paid by card alone, crossref_works_search is paid on a chain alone',
  );
  assert.equal(apart.body['param'], '$.line_items[2].id');
  const byCall = await acp(base, '/checkout_sessions', wanted({ id: 'crossref_works_get' }));
  assert.match(String(byCall.body['message']), /crossref_works_get is paid by call alone/);
  const versions = (await acp(base, '/checkout_sessions', one, { 'api-version': 'x' })).body;
  assert.deepEqual(versions['supported_versions'], ['2026-04-17']);
  const unknown = await acp(base, '/checkout_sessions', wanted({ id: 'nothing' }));
  assert.equal(unknown.body['param'], '$.line_items[0].id');

  const key = { 'idempotency-key': 'the same' };
  await acp(base, '/checkout_sessions', one, key);
  const other = await acp(base, '/checkout_sessions', four, key);
  assert.deepEqual([other.status, other.body['code']], [422, 'idempotency_conflict']);

  const { body: session } = await acp(base, '/checkout_sessions', four);
  const path = `/checkout_sessions/${String(session['id'])}`;
  const { accepts } = handlerIn(session, 'x402') as { readonly accepts: readonly Json[] };
  const under = await signedFor(accepts[0], { amount: '999999' });
  const foreign = await signedFor(accepts[0], { to: '0x0000000000000000000000000000000000000001' });
  for (const payment of [under, foreign, 'AAAA']) {
    const answer = await acp(base, `${path}/complete`, onChain(payment));
    assert.equal(answer.body['status'], 'ready_for_payment', JSON.stringify(answer.body));
    assert.match(JSON.stringify(answer.body['messages']), /payment_declined/);
  }
  const token = await acp(base, `${path}/complete`, byCard('vt_1'));
  assert.deepEqual([token.status, token.body['code']], [400, 'unsupported_payment_method']);
  assert.equal((await acp(base, '/checkout_sessions/cs_1')).status, 404);
  assert.equal((await acp(base, `${path}/cancel`, {})).body['status'], 'canceled');
  const twice = await acp(base, `${path}/cancel`, {});
  assert.deepEqual([twice.status, twice.body['code']], [405, 'checkout_canceled']);
  const late = await acp(base, `${path}/complete`, byCard(card.processor.mint()));
  assert.deepEqual([late.status, late.body['code']], [409, 'checkout_canceled']);
  assert.equal(card.processor.balance, 0);
});

test('an operator who has not switched it on sells nothing in sessions', async (t) => {
  const off = { SERVICE_ACP_PREVIEW: 'no', SERVICE_UCP_PREVIEW: 'no' };
  const { base } = await openCheckoutShop(t, off);
  assert.equal((await acp(base, '/checkout_sessions', one)).status, 404);
  const { capabilities } = (await (await fetch(`${base}/.well-known/acp.json`)).json()) as {
    readonly capabilities: Json;
  };
  assert.deepEqual(capabilities, { services: [] });
});

test('a platform is told of orders and of refunds, signed, until it has heard', async (t) => {
  const secret = 'whsec_orders_of_the_test';
  const heard: Json[] = [];
  const faults: string[] = [];
  let isDeaf = true;
  const platform = createServer((request, response) => {
    void text(request).then((body) => {
      const [, at = '', mac] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['merchant-signature'])) ?? [];
      const expected = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      if (mac !== expected) faults.push(body);
      if (!isDeaf) heard.push(JSON.parse(body));
      response.writeHead(isDeaf ? 503 : 200).end('{"received":true}');
      isDeaf = false;
    });
  });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  t.after(() => platform.close());
  const { port } = platform.address() as AddressInfo;
  const { base, url, env, card } = await openCheckoutShop(t, {
    ...reachesPlatform,
    SERVICE_ACP_WEBHOOK_URL: `http://127.0.0.1:${port}/events`,
    SERVICE_ACP_WEBHOOK_SECRET: secret,
  });
  const { body: session } = await acp(base, '/checkout_sessions', four);
  const path = `/checkout_sessions/${String(session['id'])}/complete`;
  const paid = await acp(base, path, byCard(card.processor.mint()));
  assert.equal(paid.body['status'], 'completed', JSON.stringify(paid.body));
  const until = async (wanted: (event: Json) => boolean) => {
    while (!heard.some(wanted)) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await until(({ type }) => type === 'order_create');
  assert.notEqual((await callTool(url, 'service_status'))['isError'], true);

  const created = heard.find(({ type }) => type === 'order_create') ?? {};
  const { confirmation } = created['data'] as {
    readonly confirmation: { readonly confirmation_number: string };
  };
  const refund = await runCli(['payments', 'refund', confirmation.confirmation_number], env);
  assert.equal(refund.code, 0, refund.stdout + refund.stderr);
  await until(({ data }) => (data as Json)['status'] === 'canceled');
  assert.deepEqual(faults, []);
  assert.equal((await callTool(url, 'service_status'))['isError'], true, 'what went back is lost');
});
