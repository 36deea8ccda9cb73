import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Chain, keys } from '../chain.ts';
import { merchant, pay, payer, signedFor, signedPayment, unwrapped, wrapped } from '../shop.ts';
import { challengeOf, credentialFor, showCredential } from './credential.ts';
import { LyingNode } from './lying-node.ts';
import { openStall } from './stall.ts';

const gas = privateKeyToAccount(keys.gas).address;
const price = 10_000n;

async function openChain(t: Parameters<typeof openStall>[0], options = {}): Promise<Chain> {
  const chain = await Chain.start(options);
  t.after(() => chain.stop());
  return chain;
}

/** Wait for something that the chain says. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function named(payment: string, id: string): string {
  const extensions = { 'payment-identifier': { info: { required: false, id } } };
  return wrapped({ ...unwrapped(payment), extensions });
}

test('one payment for two routes and two tools at once, over HTTP and MCP, does one thing', async (t) => {
  const chain = await openChain(t, { minesAlone: false });
  const { base, call } = await openStall(t, {
    rpcUrl: chain.url,
    policy: `prices:
  tool:service_status: { amount: '0.01', currency: USD }
  tool:payments_receipts: { amount: '0.01', currency: USD }
`,
  });
  const payment = await signedPayment(base, '/api/v1');
  const meta = { 'x402/payment': payment };
  let answered = 0;
  const done = Promise.all(
    [
      ...['/api/v1', '/api', '/api/v1'].map((path) =>
        pay(base, path, payment).then(({ status }) => status === 200),
      ),
      ...['service_status', 'payments_receipts'].map((name) =>
        call(name, {}, meta).then(({ isError }) => isError !== true),
      ),
    ].map((isDone) => isDone.finally(() => answered++)),
  );
  // No block is made before all others are refused, or a second one has sent the money, too.
  await until(async () => answered === 4 || (await chain.waiting()) > 1);
  await chain.mineAlways();
  assert.equal((await done).filter(Boolean).length, 1);
  assert.equal(await chain.balanceOf(merchant.address), price);
});

test('a payment with a name gives its answer for what it was made for, and for nothing else', async (t) => {
  const chain = await openChain(t);
  const { base } = await openStall(t, { rpcUrl: chain.url });
  const payment = named(await signedPayment(base, '/api'), 'order_0123456789abcdef');
  assert.equal((await pay(base, '/api', payment)).status, 200);
  assert.equal((await pay(base, '/api', payment)).status, 200);
  assert.equal((await pay(base, '/api/v1', payment)).status, 409);
  assert.equal(await chain.balanceOf(merchant.address), price);
});

test('a key that can be guessed opens no answer beside what stands on the chain', async (t) => {
  const chain = await openChain(t);
  const { base } = await openStall(t, { rpcUrl: chain.url });
  const show = async (payment: string, key: string) => {
    const headers = { 'payment-signature': payment, 'idempotency-key': key };
    return (await fetch(`${base}/api/v1`, { headers })).status;
  };
  const [weak, strong] = [
    await signedPayment(base, '/api/v1'),
    await signedPayment(base, '/api/v1'),
  ];
  const key = crypto.randomUUID();
  assert.deepEqual([await show(weak, '1'), await show(weak, '1')], [200, 409]);
  assert.deepEqual([await show(strong, key), await show(strong, key)], [200, 200]);
});

test('what cannot be paid is not handed out, whether the work comes before the money or after it', async (t) => {
  const chain = await openChain(t);
  const policy = `prices:
  GET /api: { amount: '0.01', currency: USD, flow: authorize }
`;
  const { base, audited } = await openStall(t, { rpcUrl: chain.url, policy });
  const poor = privateKeyToAccount(generatePrivateKey());
  for (const path of ['/api', '/api/v1']) {
    const answer = await pay(base, path, await signedPayment(base, path, { account: poor }));
    assert.equal(answer.status, 402);
    assert.equal(answer.headers.get('payment-response'), null);
    assert.doesNotMatch(await answer.text(), /agent-tool-server/);
  }
  // It has enough when it is asked, and nothing any more when it has to pay.
  await chain.mint(poor.address, price);
  const payments = await Promise.all(
    Array.from({ length: 4 }, () => signedPayment(base, '/api', { account: poor })),
  );
  const answers = await Promise.all(payments.map((payment) => pay(base, '/api', payment)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal((await audited('PAYMENT_SETTLED')).length, 1);
});

test('orders that their payer cannot pay together cost the gas of one', async (t) => {
  const chain = await openChain(t, { minesAlone: false });
  const { base, audited } = await openStall(t, { rpcUrl: chain.url });
  const poor = privateKeyToAccount(generatePrivateKey());
  await chain.client().setAutomine(true);
  await chain.mint(poor.address, price);
  await chain.client().setAutomine(false);
  const payments = await Promise.all(
    Array.from({ length: 12 }, () => signedPayment(base, '/api/v1', { account: poor })),
  );
  const asked = payments.map((payment) => pay(base, '/api/v1', payment));
  await until(async () => (await chain.waiting()) > 0);
  await until(async () => (await audited('PAYMENT_CLAIMED')).length === payments.length);
  // Others of them would be sent by now where they are sent without a look at the purse.
  for (let round = 0; round < 100; round += 1) await chain.balanceOf(poor.address);
  await chain.mineAlways();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  assert.equal(await chain.client().getTransactionCount({ address: gas }), 1);
});

test('work that is paid afterwards is not done for more than its payer has', async (t) => {
  const chain = await openChain(t);
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const vendor = createServer(async (_, answer) => {
    asked += 1;
    await all.promise;
    answer.setHeader('content-type', 'application/json').end('{"id":1,"type":"story"}');
  }).listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  t.after(() => vendor.close());
  const { port } = vendor.address() as AddressInfo;
  const { call, audited } = await openStall(t, {
    rpcUrl: chain.url,
    policy: `prices:
  tool:hackernews_item: { amount: '0.01', currency: USD, flow: authorize }
`,
    env: {
      SERVICE_PROVIDER_HACKERNEWS_URL: `http://127.0.0.1:${port}`,
      SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  const poor = privateKeyToAccount(generatePrivateKey());
  await chain.mint(poor.address, price);
  const [accepted] = (await call('hackernews_item', { id: 1 })).structuredContent?.accepts ?? [];
  const payments = await Promise.all(
    Array.from({ length: 4 }, () => signedFor(accepted, { account: poor })),
  );
  const done = payments.map((payment) => {
    return call('hackernews_item', { id: 1 }, { 'x402/payment': payment });
  });
  await until(async () => (await audited('PAYMENT_CLAIMED')).length === payments.length);
  await until(async () => asked > 0);
  // The others would have asked by now where nothing is kept for the first.
  for (let round = 0; round < 100; round += 1) await chain.balanceOf(poor.address);
  all.resolve();
  const paid = (await Promise.all(done)).filter(({ isError }) => isError !== true);
  assert.equal(paid.length, 1);
  assert.equal(asked, 1, 'nothing was done for nothing');
});

test('who leaves as soon as the money has moved has no money back, and finds the answer', async (t) => {
  const chain = await openChain(t, { minesAlone: false });
  const { base } = await openStall(t, { rpcUrl: chain.url });
  const payment = named(await signedPayment(base, '/api/v1'), 'leaves_0123456789abcdef');
  const leaving = new AbortController();
  const headers = { 'payment-signature': payment };
  const left = fetch(`${base}/api/v1`, { headers, signal: leaving.signal });
  const gone = assert.rejects(left);
  await until(async () => (await chain.waiting()) > 0);
  leaving.abort();
  await gone;
  await chain.mineAlways();
  const again = await pay(base, '/api/v1', payment);
  assert.equal(again.status, 200, await again.text());
  assert.equal(await chain.balanceOf(merchant.address), price);
});

test('calls at once spend no more than the budget', async (t) => {
  const chain = await openChain(t);
  const policy = `budgets:
  all: { of: operation, per: 30d, amount: '0.03', currency: USD }
`;
  const { base } = await openStall(t, { rpcUrl: chain.url, policy });
  const payments = await Promise.all(
    Array.from({ length: 10 }, () => signedPayment(base, '/api/v1')),
  );
  const answers = await Promise.all(payments.map((payment) => pay(base, '/api/v1', payment)));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 3, statuses.join());
  assert.equal(statuses.filter((status) => status === 403).length, 7, statuses.join());
  assert.equal(await chain.balanceOf(merchant.address), 3n * price);
});

test('nothing is handed out before the payment is as deep as its price says', async (t) => {
  const chain = await openChain(t);
  const node = await LyingNode.before(t, chain.url);
  const policy = "prices: { GET /api: { amount: '0.01', currency: USD, confirmations: 2 } }\n";
  const { base } = await openStall(t, { rpcUrl: node.url, policy });
  let isAnswered = false;
  const paying = pay(base, '/api', await signedPayment(base, '/api')).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await until(async () => (await chain.balanceOf(merchant.address)) === price);
  await chain.client().mine({ blocks: 1 });
  await Promise.race([paying, node.answered('eth_getTransactionReceipt', 3)]);
  assert.equal(isAnswered, false, 'one block on it is not enough');
  await chain.client().mine({ blocks: 1 });
  assert.equal((await paying).status, 200);
});

test('what stands on the chain already buys nothing', async (t) => {
  const chain = await openChain(t);
  const { base } = await openStall(t, { rpcUrl: chain.url });
  // It was made for another shop that is paid at the same address, a moment ago.
  const payment = await signedPayment(base, '/api/v1');
  const { payload } = unwrapped(payment) as {
    readonly payload: Parameters<typeof chain.frontRun>[0];
  };
  await chain.frontRun(payload);
  assert.equal(await chain.balanceOf(merchant.address), price);
  const { timestamp } = await chain.client().getBlock();
  await until(async () => Date.now() > Number(timestamp) * 1000);
  const answer = await pay(base, '/api/v1', payment);
  assert.equal(answer.status, 402, await answer.text());
  const { error } = unwrapped(answer.headers.get('payment-required'));
  assert.equal(error, 'invalid_exact_evm_nonce_already_used');
});

test('a node that says that something has worked, and not what, is not believed', async (t) => {
  const chain = await openChain(t);
  const node = await LyingNode.before(t, chain.url);
  const { base } = await openStall(t, { rpcUrl: node.url });
  node.lie = ({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...result, logs: [] } : undefined;
  const answer = await pay(base, '/api/v1', await signedPayment(base, '/api/v1'));
  assert.equal(answer.status, 402, await answer.text());
  const { error } = unwrapped(answer.headers.get('payment-required'));
  assert.equal(error, 'invalid_exact_evm_transfer_event_mismatch');
});

test('a node that answers without end is not read to its end', async (t) => {
  const chain = await openChain(t);
  const node = await LyingNode.before(t, chain.url);
  const { base } = await openStall(t, { rpcUrl: node.url });
  const payment = await signedPayment(base, '/api/v1');
  const chunk = Buffer.alloc(1_048_576, 0x30);
  let given = 0;
  node.instead = (answer, method) => {
    if (method !== 'eth_estimateGas') return false;
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.write('{"jsonrpc":"2.0","id":1,"result":"0x');
    let left = 256;
    const more = () => {
      while (left > 0 && !answer.destroyed) {
        left -= 1;
        given += 1;
        if (!answer.write(chunk)) return void answer.once('drain', more);
      }
      answer.end('"}');
    };
    more();
    return true;
  };
  const answer = await pay(base, '/api/v1', payment);
  assert.notEqual(answer.status, 200);
  // Twice, for it is asked twice; and what the sockets hold.
  assert.ok(given < 64, `${given} MiB of 256 were read`);
});

test('a credential of MPP is used once, however many copies of it come', async (t) => {
  const chain = await openChain(t);
  const { base } = await openStall(t, { rpcUrl: chain.url });
  const credential = await credentialFor(await challengeOf(base, '/api/v1'));
  const shown = await Promise.all(
    Array.from({ length: 12 }, () => showCredential(base, '/api/v1', credential)),
  );
  // Each is the answer for which one of them has paid: nobody else knows the challenge.
  assert.deepEqual([...new Set(shown.map(({ status }) => status))], [200]);
  assert.equal(await chain.balanceOf(merchant.address), price);
  const { status } = await showCredential(base, '/api', credential);
  assert.equal(status, 402);
});

test('answers that were paid for are kept by no cache, and those that were not by none at all', async (t) => {
  const chain = await openChain(t);
  const { base } = await openStall(t, { rpcUrl: chain.url });
  const unpaid = await fetch(`${base}/api/v1`);
  assert.equal(unpaid.headers.get('cache-control'), 'no-store');
  const paid = await pay(base, '/api/v1', await signedPayment(base, '/api/v1'));
  assert.equal(paid.headers.get('cache-control'), 'private');
});

test('no log, entry or row has a signature, and no answer has more than its receipt', async (t) => {
  const chain = await openChain(t);
  const { base, call, service } = await openStall(t, {
    rpcUrl: `${chain.url}/?key=node-secret-0123456789`,
    policy: "prices: { tool:service_status: { amount: '0.01', currency: USD } }\n",
  });
  const [accepted] = (await call('service_status', {})).structuredContent?.accepts ?? [];
  const payments = [await signedPayment(base, '/api/v1'), await signedFor(accepted)];
  const paid = await pay(base, '/api/v1', payments[0] ?? '');
  const told = await call('service_status', {}, { 'x402/payment': payments[1] });
  const failing = await signedPayment(base, '/api/v1', {
    account: privateKeyToAccount(generatePrivateKey()),
  });
  const refused = await pay(base, '/api/v1', failing);
  const log = await service.engines.audit.open();
  const entries = await log.list({ tenant: 'default', limit: 1000 });
  const { db } = service.engines.store as unknown as {
    readonly db: { selectFrom(table: string): { selectAll(): { execute(): Promise<unknown> } } };
  };
  const rows = await Promise.all(
    ['payment', 'payment_answer', 'ledger_transfer', 'payment_identifier'].map((table) =>
      db.selectFrom(table).selectAll().execute(),
    ),
  );
  const written = JSON.stringify([
    ...[entries, rows, told, [...paid.headers], await paid.text()],
    ...[[...refused.headers], await refused.text()],
  ]);
  const secrets = [
    ...[...payments, failing].map((payment) => {
      return String((unwrapped(payment)['payload'] as Record<string, unknown>)['signature']);
    }),
    ...[keys.gas, keys.merchant, 'node-secret-0123456789'],
  ];
  for (const secret of secrets) {
    assert.ok(!written.includes(secret.replace(/^0x/, '')), 'a secret is written down');
  }
  assert.equal(paid.status, 200);
  assert.equal(await chain.balanceOf(payer.address), 100_000_000n - 2n * price);
});
