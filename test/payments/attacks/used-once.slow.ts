import assert from 'node:assert/strict';
import test from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import {
  merchant,
  openShop,
  pay,
  payer,
  signedFor,
  signedPayment,
  unwrapped,
  wrapped,
} from '../shop.ts';

const stranger = privateKeyToAccount(generatePrivateKey());

test('a payment is used once, however many copies of it come at once', async (t) => {
  const { base, chain } = await openShop(t);
  const payment = await signedPayment(base, '/api/v1');
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => pay(base, '/api/v1', payment)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  assert.equal(statuses.filter((status) => status === 409).length, 59, statuses.join());
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
  const later = await pay(base, '/api/v1', payment);
  assert.equal(later.status, 409);
  assert.equal(((await later.json()) as { code: string }).code, 'duplicate_settlement');
});

test('what was paid in time is answered from the record when its authorization is over', async (t) => {
  const { base, chain } = await openShop(t);
  const seconds = () => Math.floor(Date.now() / 1000);
  const validBefore = seconds() + 20;
  const sign = () => signedPayment(base, '/api/v1', { validBefore });
  const [named, nameless, unused] = await Promise.all([sign(), sign(), sign()]);
  const show = (payment: string, name?: string) =>
    fetch(`${base}/api/v1`, {
      headers: { 'payment-signature': payment, ...(name && { 'idempotency-key': name }) },
    });
  const name = crypto.randomUUID();
  const paid = await show(named, name);
  assert.equal(paid.status, 200);
  assert.equal((await show(nameless)).status, 200);
  while (seconds() < validBefore) await new Promise((resolve) => setTimeout(resolve, 500));

  const again = await show(named, name);
  assert.deepEqual([again.status, await again.text()], [200, await paid.text()]);
  const copy = await show(nameless);
  assert.equal(copy.status, 409);
  assert.equal(((await copy.json()) as { code: string }).code, 'duplicate_settlement');
  const late = await show(unused);
  assert.equal(late.status, 402);
  assert.match(String(unwrapped(late.headers.get('payment-required'))['error']), /valid_before/);
  assert.equal(await chain.balanceOf(merchant.address), 20_000n);
});

test('a payment that bought one thing buys no other of the same price', async (t) => {
  const { base, chain } = await openShop(t);
  const payment = await signedPayment(base, '/api');
  assert.equal((await pay(base, '/api', payment)).status, 200);
  assert.equal((await pay(base, '/api/v1', payment)).status, 409);
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});

test('what is wrong with a payment is said in a code, and nothing is done or moved', async (t) => {
  const { base, chain } = await openShop(t);
  const now = Math.floor(Date.now() / 1000);
  const wrong: readonly (readonly [code: string, Parameters<typeof signedPayment>[2]])[] = [
    ['invalid_exact_evm_recipient_mismatch', { to: payer.address }],
    ['invalid_exact_evm_payload_authorization_value_mismatch', { amount: '9999' }],
    ['invalid_exact_evm_payload_authorization_value_mismatch', { amount: '10001' }],
    ['invalid_exact_evm_payload_authorization_valid_before', { validBefore: now + 2 }],
    ['invalid_exact_evm_payload_authorization_valid_after', { validAfter: now + 60 }],
    ['invalid_exact_evm_insufficient_balance', { account: stranger }],
  ];
  for (const [code, signed] of wrong) {
    const answer = await pay(base, '/api/v1', await signedPayment(base, '/api/v1', signed));
    assert.equal(answer.status, 402, code);
    assert.equal(unwrapped(answer.headers.get('payment-required'))['error'], code);
    assert.ok(answer.headers.get('www-authenticate'), 'with a fresh challenge');
  }
  assert.equal(await chain.balanceOf(merchant.address), 0n);
});

test('a signature of somebody else, and what is no payment at all, are refused', async (t) => {
  const { base, chain } = await openShop(t);
  const good = unwrapped(await signedPayment(base, '/api/v1')) as {
    accepted: Record<string, unknown>;
    payload: { signature: string; authorization: Record<string, string> };
  };
  const { payload, accepted } = good;
  const forged = { ...payload.authorization, from: merchant.address };
  const cases: readonly (readonly [code: string, value: object | string])[] = [
    ['invalid_exact_evm_signature', { ...good, payload: { ...payload, authorization: forged } }],
    ['invalid_payload', 'e30='],
    ['invalid_payload', '%%%'],
    ['invalid_payload', { ...good, payload: { ...payload, signature: '0x12' } }],
    ['invalid_x402_version', { ...good, x402Version: 1 }],
    ['unsupported_scheme', { ...good, accepted: { ...accepted, scheme: 'upto' } }],
    ['No matching payment requirements', { ...good, accepted: { ...accepted, amount: '1' } }],
    [
      'No matching payment requirements',
      { ...good, accepted: { ...accepted, network: 'eip155:1' } },
    ],
  ];
  for (const [code, value] of cases) {
    const answer = await pay(base, '/api/v1', typeof value === 'string' ? value : wrapped(value));
    assert.equal(unwrapped(answer.headers.get('payment-required'))['error'], code);
    assert.equal(answer.status, code === 'invalid_payload' ? 400 : 402);
  }
  assert.equal(await chain.balanceOf(merchant.address), 0n);
  assert.equal(
    (await pay(base, '/api/v1', wrapped(good))).status,
    200,
    'none of them has used it up',
  );
});

test('many payments at once are all settled, from one account that pays the gas', async (t) => {
  const { base, chain } = await openShop(t);
  const payments = await Promise.all(
    Array.from({ length: 100 }, () => signedPayment(base, '/api/v1')),
  );
  const answers = await Promise.all(payments.map((payment) => pay(base, '/api/v1', payment)));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.equal(await chain.balanceOf(merchant.address), 1_000_000n);
});

test('what was paid for and failed is given back, once', async (t) => {
  const policy = `prices:
  tool:hackernews_item: { amount: '0.05', currency: USD }
`;
  const { url, chain } = await openShop(t, {
    policy,
    env: {
      SERVICE_PROVIDER_HACKERNEWS_URL: 'http://127.0.0.1:1',
      SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  const before = await chain.balanceOf(payer.address);
  const call = async (payment?: string) => {
    const _meta = payment && { 'x402/payment': payment };
    const params = { name: 'hackernews_item', arguments: { id: 1 }, ...(_meta && { _meta }) };
    const { body } = await legacy(url, { method: 'tools/call', params });
    return body.result as unknown as {
      readonly isError?: true;
      readonly structuredContent?: {
        readonly accepts?: readonly Readonly<Record<string, unknown>>[];
      };
      readonly _meta?: Readonly<Record<string, unknown>>;
    };
  };
  const accepted = (await call()).structuredContent?.accepts?.[0];
  assert.equal(accepted?.['amount'], '50000');
  const failed = await call(await signedFor(accepted));
  assert.equal(failed.isError, true);
  assert.equal(
    failed.structuredContent?.accepts,
    undefined,
    'the tool has failed, not the payment',
  );
  assert.equal(failed._meta?.['x402/payment-response'], undefined, 'no receipt for nothing');
  while ((await chain.balanceOf(payer.address)) < before) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(await chain.balanceOf(payer.address), before);
  assert.equal(await chain.balanceOf(merchant.address), 0n);
});
