import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serve } from '../../runtime/cli/served.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { importFrom } from '../client-packages.ts';
import { networkId } from '../processor/processor.ts';
import { cardShop } from './card-shop.ts';

interface TokenWanted {
  readonly amount: string;
  readonly currency: string;
  readonly networkId: string;
  readonly paymentMethod: string;
}

test('the client of MPP pays a route and a tool by card', async (t) => {
  const { env, processor } = await cardShop(t);
  const { url } = await serve(t, { ...env, SERVICE_DATA_DIR: `${temporaryDirectory(t)}/data` });
  const { Mppx, stripe } = (await importFrom('mppx/client')) as unknown as {
    Mppx: { create: (options: object) => { fetch: typeof fetch } };
    stripe: (options: object) => object;
  };
  const wanted: TokenWanted[] = [];
  const createToken = async (token: TokenWanted) => {
    wanted.push(token);
    const { amount, currency } = token;
    return processor.mint('succeeded', { most: Number(amount), currency });
  };
  const methods = [stripe({ createToken, paymentMethod: 'pm_card' })];
  const answer = await Mppx.create({ methods, polyfill: false }).fetch(`${url.origin}/api`);
  assert.equal(answer.status, 200, await answer.clone().text());
  const receipt = JSON.parse(
    Buffer.from(answer.headers.get('payment-receipt') ?? '', 'base64url').toString(),
  );
  assert.equal(receipt.method, 'stripe');
  assert.equal(processor.books.intents[receipt.reference]?.amount, 125);

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
  assert.equal(processor.balance, 325);
  for (const token of wanted) {
    assert.deepEqual([token.networkId, token.currency], [networkId, 'usd']);
  }
});
