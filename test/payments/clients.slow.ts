import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { keys } from './chain.ts';
import { commandIn, importFrom } from './client-packages.ts';
import { merchant, openShop, payer, unwrapped } from './shop.ts';

const policy = `prices:
  tool:service_status: { amount: '0.005', currency: USD }
`;
const authorization = { name: 'USDC', version: '2' };

/** A method or class of a package that has no types here. */
type Any = (...args: unknown[]) => unknown;

test('the client of x402 pays a route and reads its receipt', async (t) => {
  const { base, chain } = await openShop(t);
  const { wrapFetchWithPayment, x402Client } = await importFrom('@x402/fetch');
  const { registerExactEvmScheme } = await importFrom('@x402/evm/exact/client');
  const client = new (x402Client as new () => object)();
  (registerExactEvmScheme as Any)(client, { signer: payer });
  const paying = (wrapFetchWithPayment as Any)(fetch, client) as typeof fetch;
  const answer = await paying(`${base}/api/v1`);
  assert.equal(answer.status, 200);
  const receipt = unwrapped(answer.headers.get('payment-response'));
  assert.equal(receipt['success'], true);
  assert.equal(receipt['payer'], payer.address);
  assert.match(answer.headers.get('cache-control') ?? '', /private/);
  const hash = receipt['transaction'] as `0x${string}`;
  const { status } = await chain.client().getTransactionReceipt({ hash });
  assert.equal(status, 'success');
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});

test('the client of MPP pays a route, and a tool over MCP', async (t) => {
  const { base, url, chain } = await openShop(t, { policy });
  const { Mppx, evm } = (await importFrom('mppx/client')) as unknown as {
    Mppx: { create: (options: object) => { fetch: typeof fetch } };
    evm: (options: object) => object;
  };
  const methods = [evm({ account: payer, authorization })];
  const answer = await Mppx.create({ methods, polyfill: false } as object).fetch(`${base}/api/v1`);
  assert.equal(answer.status, 200);
  const receipt = JSON.parse(
    Buffer.from(answer.headers.get('payment-receipt') ?? '', 'base64url').toString(),
  );
  assert.equal(receipt.status, 'success');
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url) as never);
  t.after(() => client.close());
  const { McpClient } = (await importFrom('mppx/mcp/client')) as unknown as {
    McpClient: { wrap: (client: object, options: object) => Pick<Client, 'callTool'> };
  };
  const paying = McpClient.wrap(client, { methods });
  const result = await paying.callTool({ name: 'service_status', arguments: {} });
  assert.notEqual(result.isError, true, JSON.stringify(result));
  assert.ok(result._meta?.['org.paymentauth/receipt']);
  assert.equal(await chain.balanceOf(merchant.address), 15_000n);
});

test('the command of MPP pays by both protocols, and its validator finds nothing wrong', async (t) => {
  const { base, chain } = await openShop(t);
  const run = async (...args: string[]) => {
    const env = { ...process.env, MPPX_PRIVATE_KEY: keys.payer };
    return promisify(execFile)(process.execPath, [commandIn('mppx/dist/bin.js'), ...args], { env });
  };
  for (const protocol of ['x402', 'mpp']) {
    const { stdout } = await run(`${base}/api/v1`, '--protocol', protocol, '-r', chain.url);
    assert.match(stdout, /agent-tool-server/);
  }
  assert.equal(await chain.balanceOf(merchant.address), 20_000n);
  const { stdout } = await run('validate', base, '-j');
  const { summary } = JSON.parse(stdout) as { summary: Record<string, number> };
  assert.equal(summary['failed'], 0, stdout);
  assert.equal(summary['warnings'], 0, stdout);
  assert.ok((summary['passed'] ?? 0) >= 28, stdout);
});
