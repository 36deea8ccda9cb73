import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { start, stop } from '../../runtime/commands/service-life.ts';
import { createService } from '../../runtime/main.ts';
import { fixturesOf, specOf } from '../providers/fixture.ts';
import { ask, can, press } from '../runtime/admission/confirm/confirm-server.ts';
import { connect as connectSession } from '../runtime/mcp/sessions/session.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { connectFirst, connectSecond } from './connect.ts';

// The whole server, with a vendor that sees what reaches it, and clients that we did not write.

const refund = fixturesOf('stripe').find(({ tool }) => tool === 'stripe_refunds_create');

async function serve(t: TestContext) {
  const upstream = await startUpstream(specOf('stripe'));
  t.after(() => upstream.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'confirm-'));
  const service = await createService({
    SERVICE_PROVIDER: 'stripe',
    SERVICE_PROVIDER_STRIPE_URL: upstream.url,
    SERVICE_STRIPE_API_KEY: 'key-of-stripe',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_MCP_SESSIONS: 'true',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_DATA_DIR: dataDir,
  });
  let address = '';
  await start(service, undefined, async () => {
    address = await service.http.listen({ host: '127.0.0.1', port: 0 });
  });
  t.after(async () => {
    await stop(service, undefined);
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(`${dataDir}-anchors`, { recursive: true, force: true });
  });
  assert.ok(refund);
  const call = { name: refund.tool, arguments: refund.arguments };
  return { url: new URL('/mcp', address), upstream, call };
}

interface Told {
  readonly isError?: boolean | undefined;
}

type Choice = { readonly action: 'decline' } | typeof accepted;
const accepted = { action: 'accept' as const, content: { approve: true } };

/** Connects a client whose user always answers the same. */
type Connect = (t: TestContext, url: URL, answer: Choice) => Promise<Pick<Client, 'callTool'>>;

async function second(t: TestContext, url: URL, answer: Choice, mode: 'auto' | 'legacy') {
  const client = await connectSecond(url, mode, { elicitation: { form: {} } });
  client.setRequestHandler('elicitation/create', () => answer);
  t.after(() => client.close());
  return client;
}

const clients: readonly (readonly [string, Connect])[] = [
  ['@modelcontextprotocol/client, auto', (t, url, answer) => second(t, url, answer, 'auto')],
  ['@modelcontextprotocol/client, legacy', (t, url, answer) => second(t, url, answer, 'legacy')],
  [
    '@modelcontextprotocol/sdk',
    async (t, url, answer) => {
      const { client } = await connectSession(t, url, {
        capabilities: { elicitation: {} },
        prepare: (made) => made.setRequestHandler(ElicitRequestSchema, () => answer),
      });
      return client as unknown as Pick<Client, 'callTool'>;
    },
  ],
];

for (const [name, connect] of clients) {
  test(`${name}: a refund is made once its user agrees, and never reaches the vendor before`, async (t) => {
    const { url, upstream, call } = await serve(t);
    const refusing = await connect(t, url, { action: 'decline' });
    const refused: Told = await refusing.callTool(call);
    assert.equal(refused.isError, true, JSON.stringify(refused));
    assert.match(JSON.stringify(refused), /declined, and nothing was done/);
    assert.equal(upstream.exchanges.length, 0);
    const agreeing = await connect(t, url, accepted);
    const done: Told = await agreeing.callTool(call);
    assert.notEqual(done.isError, true, JSON.stringify(done));
    assert.equal(upstream.exchanges.length, 1);
  });
}

test('a client that accepts forms without filling them is asked three times, then led to the page', async (t) => {
  const { url, upstream, call } = await serve(t);
  let asked = 0;
  const { client } = await connectSession(t, url, {
    capabilities: { elicitation: {} },
    prepare: (made) =>
      made.setRequestHandler(ElicitRequestSchema, () => {
        asked += 1;
        return { action: 'accept', content: {} };
      }),
  });
  const told = JSON.stringify(await client.callTool(call));
  assert.equal(asked, 3);
  assert.match(told, /accepted the form 3 times without its field.*\/approvals\/[\w-]{32}/);
  assert.equal(upstream.exchanges.length, 0);
});

test('a client that can be asked nothing is led to the page of the server', async (t) => {
  const { url, upstream, call } = await serve(t);
  const client = await connectFirst(url);
  t.after(() => client.close());
  const refused = JSON.stringify(await client.callTool(call));
  const page = /http:[^\s"\\;]+\/approvals\/[\w-]{32}/.exec(refused)?.[0] ?? assert.fail(refused);
  assert.equal(upstream.exchanges.length, 0);
  assert.match((await press(page, 'approved')).text, /Approved/);
  const done = (await client.callTool(call)) as Told;
  assert.notEqual(done.isError, true, JSON.stringify(done));
  assert.equal(upstream.exchanges.length, 1);
  assert.equal((await ask(url, can.nothing, call)).isError, true);
  assert.equal(upstream.exchanges.length, 1);
});
