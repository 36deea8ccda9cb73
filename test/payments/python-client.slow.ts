import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { keys } from './chain.ts';
import { merchant, openShop, payer, unwrapped } from './shop.ts';

const python = process.env['PAYMENT_PYTHON'] ?? '';
const script = join(import.meta.dirname, 'clients/pay.py');
const policy = `prices:
  GET /api: { amount: '0.05', currency: USD, metered: { amount: '0.001', each: kilobyte } }
  tool:service_status: { amount: '0.005', currency: USD }
`;

async function paid(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const env = { ...process.env, PAYER_KEY: keys.payer };
  const { stdout } = await promisify(execFile)(python, [script, ...words], { env });
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

test('the client of x402 for Python pays a route, a metered route, and a tool over MCP', async (t) => {
  const { base, url, chain } = await openShop(t, { policy });
  const { status, receipt, body } = await paid('http', `${base}/api/v1`);
  assert.equal(status, 200, String(body));
  const settled = unwrapped(String(receipt));
  assert.deepEqual([settled['success'], settled['payer']], [true, payer.address]);
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);

  await chain.approve(keys.payer, 1_000_000n);
  const metered = await paid('http', `${base}/api`);
  assert.equal(metered['status'], 200, String(metered['body']));
  assert.equal(unwrapped(String(metered['receipt']))['amount'], '1000');
  assert.equal(await chain.balanceOf(merchant.address), 11_000n);

  const called = await paid('mcp', url.href, 'service_status');
  assert.deepEqual([called['failed'], called['paid']], [false, true], JSON.stringify(called));
  assert.equal(await chain.balanceOf(merchant.address), 16_000n);
});

test('the client of x402 for Python pays by Permit2', async (t) => {
  const env = { SERVICE_X402_TRANSFER_METHODS: 'permit2' };
  const { base, chain } = await openShop(t, { env });
  await chain.approve(keys.payer, 1_000_000n);
  const { status, body } = await paid('http', `${base}/api/v1`);
  assert.equal(status, 200, String(body));
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});
