import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { mock, type TestContext } from 'node:test';
import type { PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import type { Tables } from '../../../generated/tables.ts';
import { storeWith } from '../../../runtime/contract/house/store.ts';
import { type Served, serve } from '../../runtime/cli/served.ts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../../surfaces/identity/whole-server.ts';
import type { Processor } from '../processor/processor.ts';
import { cardShop, payByCard } from './card-shop.ts';

/** Later than a settlement may take, and later than any work or challenge may. */
const [soonMs, lateMs] = [180_000, 5_400_000];

const prices = `prices:
  GET /api: { amount: '1.25', currency: USD, rails: [card] }
  tool:hackernews_item: { amount: '2', currency: USD, rails: [card] }
`;

interface Doomed extends Served {
  readonly env: Readonly<Record<string, string>>;
  readonly processor: Processor;
  readonly base: string;
  /** Kill it, and look at its data some time later. */
  revive(laterMs: number): Promise<Revived>;
}

interface Revived {
  readonly base: string;
  payments(): Promise<readonly PaymentRow[]>;
}

async function doomed(
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
): Promise<Doomed> {
  const { env: card, processor } = await cardShop(t, prices);
  const dataDir = temporaryDirectory(t);
  const env = {
    ...{ ...card, SERVICE_DATA_DIR: `${dataDir}/data`, SERVICE_OVERLOAD_WAIT: '1m' },
    ...more,
  };
  const served = await serve(t, env);
  return {
    ...{ ...served, env, processor, base: served.url.origin },
    async revive(laterMs) {
      await kill(served);
      const now = Date.now;
      mock.method(Date, 'now', () => now() + laterMs);
      t.after(() => mock.restoreAll());
      const { base, service } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
      const { db } = storeWith<Tables>(service.engines.store);
      return { base, payments: () => db.selectFrom('payment').selectAll().execute() };
    },
  };
}

async function kill({ child }: Pick<Served, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The one payment that there is, once it has come to a state. */
async function reaches({ payments }: Revived, state: PaymentRow['state']): Promise<PaymentRow> {
  let found: PaymentRow | undefined;
  await until(async () => {
    [found] = await payments();
    return found?.state === state;
  });
  assert.ok(found);
  return found;
}

/** A vendor that answers when it is told to. */
async function vendor(t: TestContext) {
  const asked: (() => void)[] = [];
  const server = createServer((_, response) => {
    asked.push(() => response.writeHead(503).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = {
    SERVICE_PROVIDER_HACKERNEWS_URL: `http://127.0.0.1:${port}`,
    SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
  };
  return { asked, env };
}

type Json = Readonly<Record<string, unknown>>;

/** Pay for a tool that asks the vendor. */
async function callTool(url: URL, processor: Processor): Promise<Json> {
  const params = { name: 'hackernews_item', arguments: { id: 1 } };
  const required = (await legacy(url, { method: 'tools/call', params })).body.result as Json;
  const told = (required['_meta'] as Json)['org.paymentauth/payment-required'] as Json;
  const [challenge] = told['challenges'] as readonly Json[];
  const _meta = { 'org.paymentauth/credential': { challenge, payload: { spt: processor.mint() } } };
  const paid = await legacy(url, { method: 'tools/call', params: { ...params, _meta } });
  return paid.body.result as Json;
}

test('what a tool that fails has cost goes back to the card by itself', async (t) => {
  const { asked, env } = await vendor(t);
  const { url, processor } = await doomed(t, env);
  const answer = callTool(url, processor);
  let isDone = false;
  void answer.finally(() => {
    isDone = true;
  });
  await until(() => {
    for (const fail of asked.splice(0)) fail();
    return isDone;
  });
  const result = await answer;
  assert.equal(result['isError'], true);
  const meta = (result['_meta'] ?? {}) as Json;
  assert.equal(meta['org.paymentauth/receipt'], undefined);
  await until(() => processor.balance === 0);
  assert.equal(Object.keys(processor.books.refunds).length, 1);
});

test('killed before the processor had heard of it: nothing was charged, and it is closed', async (t) => {
  const { base, processor, revive } = await doomed(t);
  processor.happen('POST /v1/payment_intents', 'held');
  const lost = assert.rejects(payByCard(base, '/api', processor.mint()));
  await until(() => processor.asked.some(({ method }) => method === 'POST'));
  const revived = await revive(lateMs);
  await lost;
  await reaches(revived, 'failed');
  assert.equal(processor.balance, 0);
});

test('killed before the answer of the processor came: the charge is found, and goes back', async (t) => {
  const { base, processor, revive } = await doomed(t);
  processor.happen('POST /v1/payment_intents', 'done and silent');
  const lost = assert.rejects(payByCard(base, '/api', processor.mint()));
  await until(() => processor.balance > 0);
  // What it dies of again and again while it gives the money back.
  processor.happen('POST /v1/refunds', 'done and cut', 'done and cut', 'done and cut');
  const revived = await revive(soonMs);
  await lost;
  const row = await reaches(revived, 'refunded');
  assert.equal(row.transaction_hash, Object.keys(processor.books.intents)[0]);
  assert.equal(processor.balance, 0);
  assert.deepEqual(Object.keys(processor.books.refunds), [row.refund_hash]);
});

test('killed in the middle of the work: the money goes back', async (t) => {
  const { asked, env } = await vendor(t);
  const { url, processor, revive } = await doomed(t, env);
  const lost = assert.rejects(callTool(url, processor));
  await until(() => asked.length > 0);
  assert.equal(processor.balance, 200);
  const revived = await revive(lateMs);
  await lost;
  await reaches(revived, 'refunded');
  assert.equal(processor.balance, 0);
});

test('what was told while nobody was here is looked after once somebody is', async (t) => {
  const { base, processor, revive } = await doomed(t);
  assert.equal((await payByCard(base, '/api', processor.mint())).status, 200);
  const [intent = ''] = Object.keys(processor.books.intents);
  processor.record('charge.dispute.created', processor.dispute(intent));
  await reaches(await revive(soonMs), 'disputed');
});

const open = new Set(['claimed', 'settling', 'pending', 'executing', 'refund_due']);
const kills = Number(process.env['CARD_KILLS'] ?? 8);

test(`${kills} kills at random moments: what was paid was delivered, or went back`, async (t) => {
  const { env: card, processor } = await cardShop(t, prices);
  const env = {
    ...{ ...card, SERVICE_DATA_DIR: `${temporaryDirectory(t)}/data` },
    SERVICE_OVERLOAD_WAIT: '1m',
  };
  const receipts: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const served = await serve(t, env);
    const base = served.url.origin;
    const asked = processor.asked.length;
    if (round % 3 === 1) processor.happen('POST /v1/payment_intents', 'broken', 'done and cut');
    const payers = Array.from({ length: 6 }, async () => {
      for (;;) {
        const paid = await payByCard(base, '/api', processor.mint());
        const receipt = paid.headers.get('payment-receipt');
        if (receipt === null) continue;
        const { reference } = JSON.parse(Buffer.from(receipt, 'base64url').toString());
        receipts.push(reference);
      }
    });
    const ended = Promise.allSettled(payers);
    // Every other one dies over its first payments, the others in full swing.
    const known = receipts.length;
    const isAsked = () => processor.asked.length > asked;
    await until(round % 2 === 0 ? isAsked : () => receipts.length > known);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await kill(served);
    await ended;
  }
  const now = Date.now;
  mock.method(Date, 'now', () => now() + lateMs);
  t.after(() => mock.restoreAll());
  const { service } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
  const { db } = storeWith<Tables>(service.engines.store);
  const rows = () => db.selectFrom('payment').selectAll().execute();
  await until(async () => (await rows()).every(({ state }) => !open.has(state)));
  const byCharge = new Map((await rows()).map((row) => [row.transaction_hash, row]));
  const delivered = (await rows()).filter(({ state }) => state === 'delivered');
  assert.equal(processor.balance, 125 * delivered.length, 'to the cent');
  for (const receipt of receipts) assert.equal(byCharge.get(receipt)?.state, 'delivered');
  const { intents, refunds } = processor.books;
  for (const { id, status } of Object.values(intents)) {
    if (status !== 'succeeded') continue;
    const back = Object.values(refunds).filter(({ payment_intent }) => payment_intent === id);
    const state = byCharge.get(id)?.state;
    assert.equal(back.length, state === 'delivered' ? 0 : 1, `${id}, which is ${state}`);
  }
  assert.ok(receipts.length > 0);
  t.diagnostic(`${receipts.length} receipts, ${Object.keys(refunds).length} refunds`);
});
