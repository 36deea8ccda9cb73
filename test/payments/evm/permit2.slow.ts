import assert from 'node:assert/strict';
import test from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { keys, usdc } from '../chain.ts';
import { importFrom } from '../client-packages.ts';
import { merchant, openShop, pay, payer, unwrapped } from '../shop.ts';
import { type SignedPermit, signedPermit } from './signed-permit.ts';

type Terms = Readonly<Record<string, unknown>>;
/** A method or class of a package that has no types here. */
type Any = (...args: unknown[]) => unknown;

const env = { SERVICE_X402_TRANSFER_METHODS: 'permit2,eip3009' };

async function termsOf(base: string): Promise<readonly Terms[]> {
  const required = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  return required['accepts'] as readonly Terms[];
}

async function open(t: Parameters<typeof openShop>[0]) {
  const shop = await openShop(t, { env });
  const [terms = {}] = await termsOf(shop.base);
  return { ...shop, terms };
}

test('the client of x402 pays by Permit2 once it has approved it, and is told so before', async (t) => {
  const { base, chain } = await openShop(t, { env });
  const methods = (await termsOf(base)).map(({ extra }) => (extra as Terms)['assetTransferMethod']);
  assert.deepEqual(methods, ['permit2', undefined]);
  const { wrapFetchWithPayment, x402Client } = await importFrom('@x402/fetch');
  const { registerExactEvmScheme } = await importFrom('@x402/evm/exact/client');
  const client = new (x402Client as new () => object)();
  (registerExactEvmScheme as Any)(client, { signer: payer });
  const paying = (wrapFetchWithPayment as Any)(fetch, client) as typeof fetch;
  const refused = await paying(`${base}/api/v1`);
  assert.equal(refused.status, 412);
  const { error } = unwrapped(refused.headers.get('payment-required'));
  assert.equal(error, 'permit2_allowance_required');
  await chain.approve(keys.payer, 1_000_000n);
  const answer = await paying(`${base}/api/v1`);
  assert.equal(answer.status, 200, await answer.text());
  const receipt = unwrapped(answer.headers.get('payment-response'));
  assert.deepEqual([receipt['success'], receipt['payer']], [true, payer.address]);
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});

test('an order to Permit2 is used once, however many copies of it come at once', async (t) => {
  const { base, chain, terms } = await open(t);
  await chain.approve(keys.payer, 1_000_000n);
  const payment = await signedPermit(terms);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => pay(base, '/api/v1', payment)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)]);
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});

test('what is wrong with an order to Permit2 is said in a code, and nothing is moved', async (t) => {
  const { base, chain, terms } = await open(t);
  await chain.approve(keys.payer, 1_000_000n);
  const now = Math.floor(Date.now() / 1000);
  const stranger = privateKeyToAccount(generatePrivateKey());
  const wrong: readonly (readonly [code: string, SignedPermit])[] = [
    ['invalid_permit2_spender', { spender: stranger.address }],
    ['invalid_permit2_recipient_mismatch', { to: payer.address }],
    ['permit2_deadline_expired', { validBefore: now + 2 }],
    ['permit2_not_yet_valid', { validAfter: now + 600 }],
    ['permit2_amount_mismatch', { amount: '9999' }],
    ['permit2_amount_mismatch', { amount: '10001' }],
    ['permit2_token_mismatch', { token: merchant.address }],
    ['permit2_insufficient_balance', { account: stranger }],
  ];
  for (const [code, signed] of wrong) {
    const answer = await pay(base, '/api/v1', await signedPermit(terms, signed));
    assert.equal(answer.status, 402, code);
    assert.equal(unwrapped(answer.headers.get('payment-required'))['error'], code);
  }
  const good = await signedPermit(terms);
  const forged = unwrapped(good) as { payload: { permit2Authorization: { nonce: string } } };
  forged.payload.permit2Authorization.nonce = '7';
  const answer = await pay(base, '/api/v1', Buffer.from(JSON.stringify(forged)).toString('base64'));
  const { error } = unwrapped(answer.headers.get('payment-required'));
  assert.equal(error, 'invalid_permit2_signature');
  assert.equal(await chain.balanceOf(merchant.address), 0n);
  assert.equal((await pay(base, '/api/v1', good)).status, 200, 'none has used it up');
});

test('the client of x402 has orders to Permit2 between others verified and settled', async (t) => {
  const { base, chain } = await openShop(t, { env: { SERVICE_X402_SERVE_FACILITATOR: 'yes' } });
  await chain.approve(keys.payer, 1_000_000n);
  const { HTTPFacilitatorClient } = await importFrom('@x402/core/server');
  const Client = HTTPFacilitatorClient as new (
    options: object,
  ) => Record<'verify' | 'settle', (payload: object, terms: object) => Promise<Terms>> & {
    getSupported(): Promise<{ readonly kinds: readonly Terms[] }>;
  };
  const client = new Client({ url: `${base}/facilitator` });
  const { kinds } = await client.getSupported();
  const upto = kinds.find(({ scheme }) => scheme === 'upto');
  const gas = privateKeyToAccount(keys.gas).address;
  assert.deepEqual(upto?.['extra'], { facilitatorAddress: gas });
  const seller = privateKeyToAccount(generatePrivateKey()).address;
  const common = { network: 'eip155:84532', asset: usdc, payTo: seller, maxTimeoutSeconds: 300 };
  const extra = { name: 'USDC', version: '2', assetTransferMethod: 'permit2' };
  const exact = { scheme: 'exact', amount: '250', ...common, extra };
  const shown = unwrapped(await signedPermit(exact));
  assert.equal((await client.verify(shown, exact))['isValid'], true);
  assert.equal((await client.settle(shown, exact))['success'], true);
  const most = {
    ...{ scheme: 'upto', amount: '900', ...common },
    extra: { ...extra, facilitatorAddress: gas },
  };
  const metered = unwrapped(await signedPermit(most));
  assert.equal((await client.verify(metered, most))['isValid'], true);
  const tooMuch = await settledBy(base, metered, { ...most, amount: '901' });
  assert.equal(tooMuch['errorReason'], 'invalid_upto_evm_payload_settlement_exceeds_amount');
  const settled = await client.settle(metered, { ...most, amount: '300' });
  assert.deepEqual([settled['success'], settled['amount']], [true, '300']);
  assert.equal(await chain.balanceOf(seller), 550n);
  const again = await client.settle(metered, { ...most, amount: '300' });
  assert.equal(again['transaction'], settled['transaction'], 'what was settled stays so');
  const more = await settledBy(base, metered, { ...most, amount: '900' });
  assert.equal(more['errorReason'], 'duplicate_settlement');
  const other = await signedPermit(most, { facilitator: seller });
  const strange = await settledBy(base, unwrapped(other), most);
  assert.equal(strange['errorReason'], 'upto_facilitator_mismatch');
  assert.equal(await chain.balanceOf(seller), 550n);
});

async function settledBy(base: string, paymentPayload: object, terms: object): Promise<Terms> {
  const answer = await fetch(`${base}/facilitator/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: terms }),
  });
  return (await answer.json()) as Terms;
}
