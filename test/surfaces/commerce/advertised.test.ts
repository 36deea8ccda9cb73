import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../identity/whole-server.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is charged for each, in the smallest unit of USDC. */
const charged: Readonly<Record<string, string>> = {
  'GET /api': '10000',
  'GET /api/v1': '250000',
  'GET /audit/vkey': '1',
  arxiv_search: '1500000',
  service_status: '5000',
};

const policy = `prices:
  GET /api/v1: { amount: '0.25', currency: USD }
  GET /audit/vkey: { amount: '0.000001', currency: USD }
  tool:arxiv_search: { amount: '1.5', currency: USD }
  tool:service_status: { amount: '0.005', currency: USD, rails: [x402] }
`;

test('each place that tells a price tells the one that is charged', async (t) => {
  const file = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(file, policy);
  const { base } = await startWholeServer(t, {
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
    SERVICE_POLICY_FILE: file,
    SERVICE_AUTH: 'local',
  });
  const read = async (path: string) => (await (await fetch(`${base}${path}`)).json()) as Json;
  const rpc = async (method: string, params: Json) => {
    const { body } = await legacy(new URL(`${base}/mcp`), { method, params });
    return body.result as unknown as Json;
  };

  // What is charged: the answer 402 of the operation itself.
  for (const [name, amount] of Object.entries(charged)) {
    const [method, path] = name.split(' ');
    const terms = path
      ? await fetch(`${base}${path}`, { method: String(method) }).then(
          (answer) => answer.headers.get('payment-required') ?? '',
        )
      : undefined;
    const asked =
      terms === undefined
        ? ((await rpc('tools/call', { name, arguments: {} }))['structuredContent'] as Json)
        : (JSON.parse(Buffer.from(terms, 'base64').toString()) as Json);
    const [accepted] = (asked['accepts'] ?? []) as readonly Json[];
    // Arguments are looked at before money is asked for.
    if (name !== 'arxiv_search') assert.equal(accepted?.['amount'], amount, name);
  }

  const payments = await read('/.well-known/payments.json');
  const [x402] = payments['payment_methods'] as readonly Json[];
  const listed = x402?.['resources'] as readonly Json[];
  assert.deepEqual(
    Object.fromEntries(listed.map(({ id, price_usdc: usdc }) => [id, atomic(String(usdc))])),
    charged,
  );
  assert.deepEqual(payments['planned_protocols'], ['ap2', 'acp', 'ucp']);
  assert.match(
    String(payments['ap2_extension']),
    /^https:\/\/github.com\/google-agentic-commerce\/ap2/,
  );
  assert.ok(Math.abs(Date.parse(String(payments['updated_at'])) - Date.now()) < 3_600_000);

  const description = await read('/openapi.json');
  const paths = description['paths'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const tools = description['x-mcp-tools'] as readonly Json[];
  const described = [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        return [`${method.toUpperCase()} ${path}`, operation['x-payment-info']] as const;
      }),
    ),
    ...tools.map((tool) => [String(tool['name']), tool['x-payment-info']] as const),
  ].map(([name, info]) => [name, (info as Json)['amount']]);
  assert.deepEqual(Object.fromEntries(described), charged);

  const { tools: offered } = (await rpc('tools/list', {})) as { tools: readonly Json[] };
  const marked = new Map(offered.map(({ name, _meta }) => [name, _meta as Json | undefined]));
  for (const name of ['arxiv_search', 'service_status']) {
    const { structuredContent } = await rpc('tools/call', {
      name: 'payments_quote',
      arguments: { operation: name },
    });
    const { rails, price } = structuredContent as { rails: readonly Json[]; price: Json };
    assert.ok(rails.every(({ amount }) => amount === charged[name]));
    const marks = marked.get(name);
    if (marks === undefined) continue;
    assert.equal(
      atomic(String((marks['dev.agent-tool-server/price'] as Json)['amount'])),
      charged[name],
    );
    assert.equal(atomic(String(marks['agents-x402/priceUSD'])), charged[name]);
    assert.equal(atomic(String(price['amount'])), charged[name]);
  }
  const told = await (await fetch(`${base}/auth.md`)).text();
  const consent = told.split('\n').find((line) => line.includes('payments:spend')) ?? '';
  assert.match(consent, /arxiv_search 1.5 USD.*GET \/api\/v1 0.25 USD/);
});

function atomic(amount: string): string {
  return String(Math.round(Number(amount) * 1e6));
}
