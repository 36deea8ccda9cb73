import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { request } from 'undici';
import { challengeId, newChallenge } from '../../../runtime/surfaces/commerce/mpp/challenge.ts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../identity/whole-server.ts';

const payTo = `0x${'1'.repeat(40)}`;
let base: string;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => Promise<void>) };
  ({ base } = await startWholeServer(t, { SERVICE_X402_PAY_TO: payTo }));
});

after(async () => {
  for (const end of ends) await end();
});

type Json = Readonly<Record<string, unknown>>;

async function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const answer = await request(url, { method: method as 'GET', headers });
  const text = await answer.body.text();
  return { ...answer, text, json: (text === '' ? {} : JSON.parse(text)) as Json };
}

function unwrapped(header: unknown): Json {
  return JSON.parse(Buffer.from(String(header), 'base64').toString()) as Json;
}

test('what has a price is told how to pay it, by x402 and by MPP in one answer', async () => {
  const { statusCode, headers, json } = await ask(`${base}/api/v1`);
  assert.equal(statusCode, 402);
  assert.match(String(headers['content-type']), /^application\/problem\+json/);
  assert.equal(headers['cache-control'], 'no-store');
  const required = unwrapped(headers['payment-required']);
  assert.equal(required['x402Version'], 2);
  assert.deepEqual(required['resource'], { url: `${base}/api/v1`, mimeType: 'application/json' });
  assert.deepEqual(required['accepts'], [
    {
      ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 300 },
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo,
      extra: { name: 'USDC', version: '2' },
    },
  ]);
  assert.deepEqual(json['accepts'], required['accepts'], 'for wallets that read the body alone');
  assert.equal(json['type'], 'https://paymentauth.org/problems/payment-required');
  assert.equal(json['status'], 402);
  const challenge = String(headers['www-authenticate']);
  assert.match(challenge, /^Payment id="[\w-]{43}", realm="[^"]+", method="evm", intent="charge"/);
  assert.ok(challenge.includes(`id="${String(json['challengeId'])}"`));
});

test('HEAD, and the path that some clients try first, are answered the same', async () => {
  for (const [path, method] of [
    ['/api', 'GET'],
    ['/api/v1', 'HEAD'],
  ] as const) {
    const { statusCode, headers } = await ask(`${base}${path}`, {}, method);
    assert.equal(statusCode, 402, path);
    assert.ok(headers['payment-required']);
  }
});

test('a page of another origin can read how to pay (Fetch, CORS protocol)', async () => {
  const { headers } = await ask(`${base}/api/v1`, { origin: 'https://page.example' });
  assert.equal(headers['access-control-allow-origin'], '*');
  const exposed = String(headers['access-control-expose-headers']).toLowerCase();
  for (const name of [
    'payment-required',
    'payment-response',
    'payment-receipt',
    'www-authenticate',
  ]) {
    assert.ok(exposed.includes(name), exposed);
  }
});

test('answers of what has a price differ by who pays, and by how (RFC 9110 section 12.5.5)', async () => {
  const names = ['authorization', 'payment-authorization', 'payment-signature'];
  for (const headers of [{}, { 'payment-signature': 'e30=' }]) {
    const { headers: told } = await ask(`${base}/api/v1`, headers);
    const vary = String(told['vary']).toLowerCase().split(', ');
    assert.deepEqual(
      names.filter((name) => !vary.includes(name)),
      [],
    );
  }
  const { headers } = await ask(`${base}/openapi.json`);
  assert.doesNotMatch(String(headers['vary']), /payment/i);
});

test('each answer has a challenge of its own, and none is kept', async () => {
  const first = await ask(`${base}/api/v1`);
  const second = await ask(`${base}/api/v1`);
  assert.notEqual(first.json['challengeId'], second.json['challengeId']);
});

test('where nothing is set up to take it, a payment is 503 and says what is missing', async () => {
  for (const headers of [
    { 'payment-signature': 'e30=' },
    { authorization: 'Payment e30' },
    { 'payment-authorization': 'Payment e30' },
  ]) {
    const { statusCode, json } = await ask(`${base}/api/v1`, headers);
    assert.equal(statusCode, 503);
    assert.match(String(json['detail']), /SERVICE_X402_PAY_TO/);
  }
});

test('several payments for one call are refused', async () => {
  const headers = { 'payment-signature': 'e30=', 'payment-authorization': 'Payment e30' };
  const { statusCode, json } = await ask(`${base}/api/v1`, headers);
  assert.equal(statusCode, 400);
  assert.match(String(json['detail']), /several/);
});

test('the policy of the operator changes a price everywhere where it is told', async (t) => {
  const policy = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(
    policy,
    `prices:
  GET /api: free
  GET /api/v1: { amount: '0.25', currency: USD, rails: [x402] }
  tool:service_status: { amount: '0.005', currency: USD }
`,
  );
  const { base } = await startWholeServer(t, {
    SERVICE_POLICY_FILE: policy,
    SERVICE_AUTH: 'local',
    SERVICE_X402_PAY_TO: payTo,
  });
  assert.equal((await ask(`${base}/api`)).statusCode, 200);

  const { headers } = await ask(`${base}/api/v1`);
  assert.equal(headers['www-authenticate'], undefined, 'MPP does not take it');
  const [route] = unwrapped(headers['payment-required'])['accepts'] as readonly Json[];
  assert.equal(route?.['amount'], '250000');

  const url = new URL(`${base}/mcp`);
  const call = { method: 'tools/call', params: { name: 'service_status', arguments: {} } };
  const result = (await legacy(url, call)).body.result as unknown as Json & {
    readonly content: readonly { readonly text: string }[];
    readonly _meta: Readonly<Record<string, Json>>;
  };
  assert.equal(result['isError'], true);
  const told = result['structuredContent'] as Json;
  assert.deepEqual(JSON.parse(result.content[0]?.text ?? ''), told);
  assert.deepEqual(result._meta['x402/error'], told);
  const [tool] = told['accepts'] as readonly Json[];
  assert.equal(tool?.['amount'], '5000');
  assert.equal(result._meta['org.paymentauth/payment-required']?.['httpStatus'], 402);

  const { body } = await legacy(url, { method: 'tools/list' });
  const listed = (body.result as { tools: readonly Json[] }).tools;
  const marks = listed.find(({ name }) => name === 'service_status')?.['_meta'];
  assert.deepEqual(marks, {
    'dev.agent-tool-server/price': { amount: '0.005', currency: 'USD' },
    'agents-x402/paymentRequired': true,
    'agents-x402/priceUSD': 0.005,
  });

  const payments = (await ask(`${base}/.well-known/payments.json`)).json;
  const [x402, mpp] = payments['payment_methods'] as readonly { resources: readonly Json[] }[];
  const prices = (resources: readonly Json[] = []) =>
    Object.fromEntries(resources.map(({ id, price_usdc }) => [id, price_usdc]));
  assert.deepEqual(prices(x402?.resources), { 'GET /api/v1': '0.25', service_status: '0.005' });
  assert.deepEqual(prices(mpp?.resources), { service_status: '0.005' });
  const { paths } = (await ask(`${base}/openapi.json`)).json as { paths: Json };
  assert.deepEqual(Object.keys(paths), ['/api/v1']);
});

test('where nobody is paid, the answer names no address and says what to set', async (t) => {
  const { base } = await startWholeServer(t, { SERVICE_AUTH: 'local' });
  const { statusCode, headers, json, text } = await ask(`${base}/api/v1`);
  assert.equal(statusCode, 402);
  assert.equal(headers['payment-required'], undefined);
  assert.equal(headers['www-authenticate'], undefined);
  assert.match(String(json['detail']), /SERVICE_X402_PAY_TO.*SERVICE_CARD_SECRET_KEY/);
  const told = await Promise.all(
    ['/.well-known/payments.json', '/openapi.json'].map(async (path) => {
      return (await ask(`${base}${path}`)).text;
    }),
  );
  for (const each of [text, ...told]) assert.doesNotMatch(each, /0x0{40}/);
  const answer = await ask(`${base}/api/v1`, { 'payment-signature': 'e30=' });
  assert.deepEqual([answer.statusCode, answer.json['code']], [503, 'unsupported_scheme']);
});

test('a policy with a slip in it stops the start and says where', async (t) => {
  const policy = join(temporaryDirectory(t), 'policy.yaml');
  const start = (text: string) => {
    writeFileSync(policy, text);
    return startWholeServer(t, { SERVICE_POLICY_FILE: policy });
  };
  await assert.rejects(start('prices: { "GET /api/v2": free }'), /GET \/api\/v2.*did you mean/s);
  await assert.rejects(start('prices: { "GET /api": { amount: 1 } }'), /amount|currency/);
  await assert.rejects(start('prices: { "GET /api": { amount: "0", currency: USD } }'), /pattern/);
  await assert.rejects(start('price: {}'), /additional/);
  await assert.rejects(start('{'), /SERVICE_POLICY_FILE/);
});

test('no challenge has an id that looks like a credential', () => {
  const key = Buffer.alloc(32);
  let nonce = 26_132;
  const open = () => ({
    ...{ realm: 'r', method: 'm', intent: 'charge', request: 'q', expires: 'e' },
    opaque: String(nonce++),
  });
  assert.match(challengeId(key, { ...open(), opaque: '26132' }), /^ghp_/);
  nonce = 26_132;
  const { id, ...said } = newChallenge(key, open);
  assert.equal(said.opaque, '26133');
  assert.equal(id, challengeId(key, said));
});
