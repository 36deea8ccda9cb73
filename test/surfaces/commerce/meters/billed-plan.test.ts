import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Tables } from '../../../../generated/tables.ts';
import { storeWith } from '../../../../runtime/contract/house/store.ts';
import { cardShop } from '../../../payments/cards/card-shop.ts';
import { legacy } from '../../../runtime/mcp/rpc.ts';
import { startWholeServer } from '../../identity/whole-server.ts';

type Json = Readonly<Record<string, unknown>>;

const meter = '{ event: tool_calls, customer: cus_1 }';
const policy = `prices:
  tool:service_status: { amount: '0.005', currency: USD }
  tool:payments_quote: { amount: '0.005', currency: USD }
plans:
  partners: { uses: 4, per: 365d, meter: ${meter} }
  others: { tenants: [elsewhere], uses: 3, per: 365d, meter: ${meter} }
`;

async function openBilled(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const { env, processor } = await cardShop(t, policy);
  processor.books.meters.add('tool_calls');
  const { base, service } = await startWholeServer(t, { ...env, ...more, SERVICE_AUTH: 'local' });
  const call = async (name: string, args: Json = {}) => {
    const params = { name, arguments: args };
    const { body } = await legacy(new URL(`${base}/mcp`), { method: 'tools/call', params });
    return body.result as unknown as Json & { readonly structuredContent: Json };
  };
  const { db } = storeWith<Tables>(service.engines.store);
  const rows = () => db.selectFrom('metered_use').selectAll().execute();
  return { base, processor, call, rows };
}

test('each call of a plan with a meter is billed once, and one that is paid or refused is not', async (t) => {
  const { processor, call, rows } = await openBilled(t);
  // The quote has a price itself, and is the first use.
  const quote = (await call('payments_quote', { operation: 'service_status' })).structuredContent;
  assert.equal(quote['pays'], false);
  assert.match(
    String(quote['free']),
    /plan partners allows 4 uses .* of which 1 are used, each of which is billed to its holder/,
  );
  for (let times = 0; times < 3; times += 1) {
    assert.notEqual((await call('service_status'))['isError'], true);
  }
  const over = await call('service_status');
  assert.equal(over['isError'], true, 'the plan is used up');
  assert.equal((await rows()).length, 4);
  const billed = async () => (await rows()).every(({ state }) => state === 'reported');
  while (!(await billed())) await new Promise((resolve) => setTimeout(resolve, 20));
  const counted = Object.values(processor.books.uses);
  assert.equal(counted.length, 4);
  assert.deepEqual(
    counted.map(({ identifier }) => identifier).toSorted(),
    (await rows()).map(({ id }) => id).toSorted(),
  );
  for (const { payload } of counted) {
    assert.deepEqual(payload, { stripe_customer_id: 'cus_1', value: '1' });
  }
});

test('a call that fails is billed to nobody', async (t) => {
  const { call, rows } = await openBilled(t);
  const failed = await call('payments_quote', { operation: 'no_such_tool' });
  assert.equal(failed['isError'], true);
  assert.deepEqual(await rows(), []);
});

test('payments.json names the meter, and the plans that its reader could have', async (t) => {
  const { base } = await openBilled(t);
  const { payment_methods: methods } = (await (
    await fetch(`${base}/.well-known/payments.json`)
  ).json()) as { readonly payment_methods: readonly Json[] };
  assert.deepEqual(
    methods.filter(({ billing }) => billing === 'metered'),
    [
      {
        ...{ type: 'card', enabled: true, billing: 'metered' },
        ...{ meter_event_name: 'tool_calls', plans: ['partners'] },
      },
    ],
  );
});

test('a plan with a meter needs the key of the processor, and no profile of it', async (t) => {
  const { env } = await cardShop(t, policy);
  const { SERVICE_POLICY_FILE = '', SERVICE_CARD_SECRET_KEY = '' } = env;
  const start = (more: Readonly<Record<string, string>>) =>
    startWholeServer(t, { SERVICE_POLICY_FILE, ...more, SERVICE_AUTH: 'local' });
  await assert.rejects(start({}), /SERVICE_CARD_SECRET_KEY.* bills the plan partners/s);
  const { base } = await start({ SERVICE_CARD_SECRET_KEY });
  const methods = await (await fetch(`${base}/.well-known/payments.json`)).text();
  assert.ok(methods.includes('tool_calls') && !methods.includes('per_use'), methods);
});
