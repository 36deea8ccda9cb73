import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { Chain, chainId } from '../chain.ts';
import { merchant, openShop, pay, payer, signedPayment, unwrapped } from '../shop.ts';

type Json = Readonly<Record<string, unknown>>;
type Order = Parameters<Chain['frontRun']>[0];

const hash = `0x${'a'.repeat(64)}`;
const network = `eip155:${chainId}`;

/** A facilitator that answers what a test says to an order to settle. */
async function facilitator(t: TestContext, settle: (order: Order) => Promise<Json>) {
  const server = createServer(async (request, response) => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network }];
    let answer: Json = { kinds, extensions: [], signers: {} };
    if (request.method === 'POST') {
      const { paymentPayload } = (await json(request)) as { paymentPayload: { payload: Order } };
      const isSettle = request.url === '/settle';
      answer = isSettle ? await settle(paymentPayload.payload) : { isValid: true };
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    SERVICE_X402_FACILITATOR_URL: `http://127.0.0.1:${port}`,
    SERVICE_ALLOW_INSECURE_FETCH: 'yes',
    SERVICE_X402_PRIVATE_KEY: '',
  };
}

test('a payment that somebody else settles behind a facilitator that says no has paid once', async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const env = await facilitator(t, async (order) => {
    // Blocks know whole seconds: one that is surely later than the claim.
    const timestamp = BigInt(Math.floor(Date.now() / 1000) + 1);
    await chain.client().setNextBlockTimestamp({ timestamp });
    await chain.frontRun(order);
    const errorReason = 'invalid_exact_evm_nonce_already_used';
    return { success: false, errorReason, transaction: '', network };
  });
  const { base } = await openShop(t, { chain, env });
  const payment = await signedPayment(base, '/api/v1');
  const answer = await pay(base, '/api/v1', payment);
  assert.equal(answer.status, 200, await answer.text());
  const receipt = unwrapped(answer.headers.get('payment-response'));
  assert.equal(receipt['success'], true);
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
  assert.equal((await pay(base, '/api/v1', payment)).status, 409);
  assert.equal((await pay(base, '/api', payment)).status, 409);
});

test('a facilitator that has settled something else hands nothing out', async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const good = { success: true, transaction: hash, network, payer: payer.address, amount: '10000' };
  const lies: Json[] = [
    { ...good, amount: '0' },
    { ...good, amount: '9999' },
    { ...good, network: 'eip155:1' },
    { ...good, payer: merchant.address },
  ];
  let lie: Json = good;
  const env = await facilitator(t, async () => lie);
  const { base } = await openShop(t, { chain, env: { ...env, SERVICE_X402_RPC_URL: '' } });
  for (const told of lies) {
    lie = told;
    const payment = await signedPayment(base, '/api/v1');
    const answer = await pay(base, '/api/v1', payment);
    assert.equal(answer.status, 409, JSON.stringify(told));
    assert.equal(((await answer.json()) as Json)['code'], 'settlement_pending');
  }
  assert.equal(await chain.balanceOf(merchant.address), 0n);
});
