import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { legacy } from '../../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../../identity/whole-server.ts';

type Json = Readonly<Record<string, unknown>>;

async function openWith(t: TestContext, policy: string) {
  const file = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(file, policy);
  const { base } = await startWholeServer(t, {
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
    SERVICE_POLICY_FILE: file,
    SERVICE_AUTH: 'local',
  });
  const call = async (name: string, args: Json = {}) => {
    const params = { name, arguments: args };
    const { body } = await legacy(new URL(`${base}/mcp`), { method: 'tools/call', params });
    return body.result as unknown as Json & {
      readonly structuredContent: Json;
      readonly content: readonly { readonly text: string }[];
    };
  };
  return { base, call };
}

const priced = `prices:
  tool:service_status: { amount: '0.005', currency: USD }
`;

test('a quote says what a call would cost, by which rails, and what budgets say to it', async (t) => {
  const { call } = await openWith(
    t,
    `${priced}budgets:
  agents: { of: agent, per: 1d, amount: '0.004', currency: USD }
approve_above: { amount: '0.001', currency: USD }
`,
  );
  const quote = (await call('payments_quote', { operation: 'service_status' })).structuredContent;
  const chain = {
    network: 'eip155:84532',
    pay_to: `0x${'1'.repeat(40)}`,
    payable: false,
  };
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  const { budgets, unpayable, ...rest } = quote;
  assert.match(String(unpayable), /set SERVICE_X402_PAY_TO, .*SERVICE_CARD_SECRET_KEY/);
  assert.deepEqual(rest, {
    ...{ operation: 'service_status', pays: true, price: { amount: '0.005', currency: 'USD' } },
    rails: [
      { rail: 'x402', method: 'exact', amount: '5000', asset, ...chain },
      { rail: 'mpp', method: 'evm/charge', amount: '5000', asset, ...chain },
    ],
    needs_approval: true,
  });
  const [budget] = budgets as readonly Json[];
  assert.deepEqual(
    [budget?.['name'], budget?.['used'], budget?.['allows']],
    ['agents', '0', false],
  );

  const free = (await call('payments_quote', { operation: 'payments_receipts' })).structuredContent;
  assert.deepEqual(free, { operation: 'payments_receipts', pays: false, rails: [], budgets: [] });
  const route = (await call('payments_quote', { operation: 'GET /api/v1' })).structuredContent;
  assert.equal((route['price'] as Json)['amount'], '0.01');
  const unknown = await call('payments_quote', { operation: 'service_statu' });
  assert.equal(unknown['isError'], true);
  assert.match(unknown.content[0]?.text ?? '', /did you mean service_status/);
});

test('what a budget does not allow is refused before it is asked to be paid, over HTTP and MCP', async (t) => {
  const { base, call } = await openWith(
    t,
    `${priced}budgets:
  little: { of: tenant, per: 1d, amount: '0.004', currency: USD }
`,
  );
  for (const method of ['GET', 'GET']) {
    const answer = await fetch(`${base}/api/v1`, { method });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('payment-required'), null, 'no challenge');
    assert.equal(answer.headers.get('www-authenticate'), null);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.match(String(answer.headers.get('content-type')), /problem\+json/);
    const problem = (await answer.json()) as Json;
    assert.equal(problem['code'], 'budget_exceeded');
    assert.equal(problem['error'], 'budget_exceeded');
    const { name, limit, used } = problem['budget'] as Json;
    assert.deepEqual([name, limit, used], ['little', '0.004', '0']);
  }
  const refused = await call('service_status');
  assert.equal(refused['isError'], true);
  assert.match(
    refused.content[0]?.text ?? '',
    /budget little allows 0.004 USD until .*, of which 0/,
  );
  assert.equal(refused.structuredContent['error'], 'budget_exceeded');
  assert.equal(refused.structuredContent['accepts'], undefined, 'nothing to pay');
  assert.equal((refused['_meta'] as Json | undefined)?.['x402/error'], undefined);
});

test('what a plan gives for nothing is used up, and then it costs', async (t) => {
  const { base, call } = await openWith(
    t,
    `${priced}plans:
  trial: { uses: 2, per: 365d, on: [tool:service_status] }
`,
  );
  const quote = (await call('payments_quote', { operation: 'service_status' })).structuredContent;
  assert.match(String(quote['free']), /the plan trial allows 2 uses until .*, of which 0 are used/);
  for (let times = 0; times < 2; times += 1) {
    assert.notEqual((await call('service_status'))['isError'], true);
  }
  const third = await call('service_status');
  assert.ok((third['_meta'] as Json)['x402/error']);
  const after = (await call('payments_quote', { operation: 'service_status' })).structuredContent;
  assert.equal(after['pays'], true);
  assert.equal((await fetch(`${base}/api/v1`)).status, 402, 'the plan is for something else');
});

test('a rule about something that is not offered stops the start, and so does one that is mistyped', async (t) => {
  await assert.rejects(
    openWith(
      t,
      "budgets:\n  b: { of: agent, per: 1d, amount: '1', currency: USD, on: [tool:nothing] }\n",
    ),
    /"tool:nothing", which it does not/,
  );
  await assert.rejects(
    openWith(t, 'plans:\n  p: { uses: 0, per: 1d }\n'),
    /plans: p: uses must be >= 1/,
  );
  await assert.rejects(
    openWith(t, "budgets:\n  b: { of: everybody, per: 1d, amount: '1', currency: USD }\n"),
    /budgets: b: of must be equal to one of the allowed values/,
  );
});
