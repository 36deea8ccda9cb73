import assert from 'node:assert/strict';
import test from 'node:test';
import { runCli } from '../../runtime/cli/run-cli.ts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { keys } from '../chain.ts';
import { importFrom } from '../client-packages.ts';
import { merchant, openShop, payer, unwrapped } from '../shop.ts';
import { signedPermit } from './signed-permit.ts';

const policy = `prices:
  GET /api/v1: { amount: '0.05', currency: USD, metered: { amount: '0.001', each: kilobyte } }
  GET /api: { amount: '0.05', currency: USD, metered: { amount: '0.001', each: /things } }
  tool:service_status: { amount: '0.05', currency: USD, metered: { amount: '0.002', each: kilobyte } }
budgets:
  probes: { of: operation, on: [GET /api/v1], per: 1d, amount: '0.052', currency: USD }
`;

/** A method or class of a package that has no types here. */
type Any = (...args: unknown[]) => unknown;

async function open(t: Parameters<typeof openShop>[0]) {
  const shop = await openShop(t, { policy });
  await shop.chain.approve(keys.payer, 1_000_000n);
  const { wrapFetchWithPayment, x402Client } = await importFrom('@x402/fetch');
  const { UptoEvmScheme } = await importFrom('@x402/evm/upto/client');
  const client = new (x402Client as new () => { register: Any })();
  client.register('eip155:*', new (UptoEvmScheme as new (signer: object) => object)(payer));
  const paying = (wrapFetchWithPayment as Any)(fetch, client) as typeof fetch;
  const payments = async (word: string) => (await runCli(['payments', word], shop.env)).stdout;
  return { ...shop, paying, payments };
}

test('the client of x402 signs the most and is charged what the answer comes to', async (t) => {
  const { base, chain, paying, payments } = await open(t);
  const answer = await paying(`${base}/api/v1`);
  assert.equal(answer.status, 200, await answer.text());
  const receipt = unwrapped(answer.headers.get('payment-response'));
  assert.deepEqual([receipt['success'], receipt['amount']], [true, '1000']);
  const hash = receipt['transaction'] as `0x${string}`;
  const { status } = await chain.client().getTransactionReceipt({ hash });
  assert.equal(status, 'success');
  assert.equal(await chain.balanceOf(merchant.address), 1000n);
  const again = await paying(`${base}/api/v1`);
  assert.equal(again.status, 200, 'the budget holds what was charged and no more');
  assert.equal((await fetch(`${base}/api/v1`)).status, 402, 'and the most fits once more');
  const third = await paying(`${base}/api/v1`);
  assert.equal(third.status, 200);
  assert.equal((await fetch(`${base}/api/v1`)).status, 403, 'but not for ever');
  assert.equal(await chain.balanceOf(merchant.address), 3000n);
  const report = await payments('reconcile');
  assert.match(report, /everything agrees/);
  const exported = await payments('export');
  assert.match(exported, /,3,0\.003,/);
});

test('what comes to nothing moves nothing, and is a receipt of nothing', async (t) => {
  const { base, chain, paying, payments } = await open(t);
  const answer = await paying(`${base}/api`);
  assert.equal(answer.status, 200, await answer.text());
  const receipt = unwrapped(answer.headers.get('payment-response'));
  assert.deepEqual(
    [receipt['success'], receipt['amount'], receipt['transaction']],
    [true, '0', ''],
  );
  assert.equal(await chain.balanceOf(merchant.address), 0n);
  assert.match(await payments('reconcile'), /everything agrees/);
});

test('a tool is metered over MCP, and its receipt says the most and what was charged', async (t) => {
  const { url, chain } = await open(t);
  const call = async (name: string, payment?: string) => {
    const _meta = payment && { 'x402/payment': payment };
    const params = { name, arguments: {}, ...(_meta && { _meta }) };
    const { body } = await legacy(url, { method: 'tools/call', params });
    return body.result as unknown as {
      readonly isError?: true;
      readonly structuredContent: Readonly<Record<string, unknown>>;
      readonly _meta?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
  };
  const asked = await call('service_status');
  const [terms = {}] = asked.structuredContent['accepts'] as readonly Record<string, unknown>[];
  assert.deepEqual([terms['scheme'], terms['amount']], ['upto', '50000']);
  const paid = await call('service_status', await signedPermit(terms));
  assert.equal(paid.isError, undefined, JSON.stringify(paid));
  const charged = String(paid._meta?.['x402/payment-response']?.['amount']);
  const size = Buffer.byteLength(JSON.stringify(paid.structuredContent));
  assert.equal(charged, String(2000 * Math.ceil(size / 1024)));
  assert.equal(await chain.balanceOf(merchant.address), BigInt(charged));
  const { receipts } = (await call('payments_receipts')).structuredContent as {
    readonly receipts: readonly Readonly<Record<string, unknown>>[];
  };
  assert.deepEqual([receipts[0]?.['amount'], receipts[0]?.['charged']], ['50000', charged]);
});
