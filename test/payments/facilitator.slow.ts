import assert from 'node:assert/strict';
import test from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { importFrom } from './client-packages.ts';
import { merchant, openShop, payer, signedFor, unwrapped } from './shop.ts';

interface Outcome {
  readonly isValid?: boolean;
  readonly invalidReason?: string;
  readonly success?: boolean;
  readonly errorReason?: string;
  readonly transaction?: string;
  readonly payer?: string;
}

interface FacilitatorClient {
  verify(payload: object, requirements: object): Promise<Outcome>;
  settle(payload: object, requirements: object): Promise<Outcome>;
  getSupported(): Promise<{ readonly kinds: readonly Readonly<Record<string, unknown>>[] }>;
}

/** Somebody else who sells something, and has this server settle for it. */
const seller = privateKeyToAccount(generatePrivateKey());

async function open(t: Parameters<typeof openShop>[0], env = {}) {
  const facilitating = { SERVICE_X402_SERVE_FACILITATOR: 'yes', ...env };
  const shop = await openShop(t, { env: facilitating });
  const { HTTPFacilitatorClient } = await importFrom('@x402/core/server');
  const Client = HTTPFacilitatorClient as new (options: object) => FacilitatorClient;
  const client = new Client({ url: `${shop.base}/facilitator` });
  const [own] = unwrapped((await fetch(`${shop.base}/api/v1`)).headers.get('payment-required'))[
    'accepts'
  ] as readonly Readonly<Record<string, unknown>>[];
  const requirements = { ...own, payTo: seller.address, amount: '250' };
  const payment = async (signed = {}) => unwrapped(await signedFor(requirements, signed));
  return { shop, client, requirements, payment };
}

test('the client of x402 has a payment between others verified and settled, once', async (t) => {
  const { shop, client, requirements, payment } = await open(t);
  const { kinds } = await client.getSupported();
  const [exact, upto] = kinds;
  assert.deepEqual(exact, { x402Version: 2, scheme: 'exact', network: 'eip155:84532' });
  assert.equal(upto?.['scheme'], 'upto');
  const shown = await payment();
  const verified = await client.verify(shown, requirements);
  assert.deepEqual([verified.isValid, verified.payer], [true, payer.address]);
  const extra = { ...(requirements as { extra?: object }).extra, address: seller.address };
  const moved = await client.verify(shown, { ...requirements, extra });
  assert.equal(moved.isValid, true, 'where the token is was said before');
  const settled = await Promise.all(
    Array.from({ length: 5 }, () => client.settle(shown, requirements)),
  );
  const sent = settled.filter(({ success }) => success);
  assert.ok(sent.length >= 1);
  for (const { success, errorReason } of settled) {
    assert.ok(success || errorReason === 'settlement_pending', String(errorReason));
  }
  const again = await client.settle(shown, requirements);
  assert.equal(again.success, true, 'what was settled stays so');
  assert.equal(again.transaction, sent[0]?.transaction);
  assert.equal(await shop.chain.balanceOf(seller.address), 250n);
  assert.equal(await shop.chain.balanceOf(merchant.address), 0n);
});

test('a facilitator says in the codes of the scheme what is wrong (x402 v2, error codes)', async (t) => {
  const { shop, client, requirements, payment } = await open(t);
  const good = await payment();
  const now = Math.floor(Date.now() / 1000);
  const other = { ...requirements, payTo: merchant.address };
  const stranger = privateKeyToAccount(generatePrivateKey());
  const cases: readonly (readonly [code: string, payload: object, requirements: object])[] = [
    ['invalid_exact_evm_recipient_mismatch', good, other],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      good,
      { ...requirements, amount: '251' },
    ],
    ['invalid_network', good, { ...requirements, network: 'eip155:1' }],
    ['invalid_payment_requirements', good, { ...requirements, asset: merchant.address }],
    ['invalid_exact_evm_missing_eip712_domain', good, { ...requirements, extra: {} }],
    ['unsupported_scheme', good, { ...requirements, scheme: 'batch-settlement' }],
    ['invalid_upto_evm_scheme', good, { ...requirements, scheme: 'upto' }],
    ['invalid_exact_evm_signature', good, { ...requirements, extra: { name: 'X', version: '2' } }],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      await payment({ validBefore: now }),
      requirements,
    ],
    ['invalid_exact_evm_insufficient_balance', await payment({ account: stranger }), requirements],
    ['invalid_payload', { ...good, payload: {} }, requirements],
    ['invalid_x402_version', { ...good, x402Version: 1 }, requirements],
  ];
  for (const [code, payload, terms] of cases) {
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: terms };
    const ask = async (path: string): Promise<Outcome> => {
      const answer = await fetch(`${shop.base}/facilitator/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 200, code);
      return (await answer.json()) as Outcome;
    };
    const verified = await ask('verify');
    assert.deepEqual([verified.isValid, verified.invalidReason], [false, code]);
    const settled = await ask('settle');
    assert.deepEqual([settled.success, settled.errorReason], [false, code]);
  }
  assert.equal(await shop.chain.balanceOf(seller.address), 0n);
  assert.equal((await client.settle(good, requirements)).success, true, 'none has used it up');
});

test('who may not have payments settled is told so, and where nobody may, there is no facilitator', async (t) => {
  const { shop } = await open(t, {
    SERVICE_AUTH: 'required',
    SERVICE_ALLOW_INSECURE_FETCH: 'yes',
  });
  const post = (base: string) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${base}/facilitator/settle`, { method: 'POST', headers, body: '{}' });
  };
  assert.equal((await post(shop.base)).status, 401);
  const { base } = await openShop(t, { chain: shop.chain });
  assert.equal((await post(base)).status, 404);
  assert.equal((await fetch(`${base}/facilitator/supported`)).status, 404);
});

test('a shop that has its payments settled by this server is paid (http on this machine)', async (t) => {
  const { shop } = await open(t);
  const { base } = await openShop(t, {
    chain: shop.chain,
    env: {
      SERVICE_X402_FACILITATOR_URL: `${shop.base}/facilitator`,
      SERVICE_ALLOW_INSECURE_FETCH: 'yes',
      SERVICE_X402_PRIVATE_KEY: '',
    },
  });
  const payment = await signedFor(
    (
      unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'))[
        'accepts'
      ] as readonly Readonly<Record<string, unknown>>[]
    )[0],
  );
  const answer = await fetch(`${base}/api/v1`, { headers: { 'payment-signature': payment } });
  assert.equal(answer.status, 200, await answer.text());
  assert.equal(await shop.chain.balanceOf(merchant.address), 10_000n);
});

test('a start with a node or a facilitator of another chain fails and says so', async (t) => {
  const { shop } = await open(t);
  const network = { SERVICE_X402_NETWORK: 'eip155:8453' };
  await assert.rejects(openShop(t, { chain: shop.chain, env: network }), /eip155:84532/);
  const facilitator = { SERVICE_X402_FACILITATOR_URL: `${shop.base}/facilitator` };
  await assert.rejects(
    openShop(t, { chain: shop.chain, env: facilitator }),
    /SERVICE_ALLOW_INSECURE_FETCH/,
  );
});
