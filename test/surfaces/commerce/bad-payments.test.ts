import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { signedFor, unwrapped, wrapped } from '../../payments/shop.ts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../identity/whole-server.ts';

/** A shop that could be paid, if its node answered. */
const env = {
  SERVICE_AUTH: 'local',
  SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
  SERVICE_X402_RPC_URL: 'http://127.0.0.1:1',
  SERVICE_X402_PRIVATE_KEY: `0x${'2'.repeat(64)}, 0x${'3'.repeat(64)}`,
};

let base: string;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => Promise<void>) };
  ({ base } = await startWholeServer(t, env));
});

after(async () => {
  for (const end of ends) await end();
});

async function signed(): Promise<string> {
  const required = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  const [accepted] = required['accepts'] as readonly Readonly<Record<string, unknown>>[];
  return signedFor(accepted);
}

/** With one of its members once more, as only text can have it. */
function twice(value: Readonly<Record<string, unknown>>, name: string): string {
  const member = JSON.stringify({ [name]: value[name] }).slice(1, -1);
  return Buffer.from(`{${member},${JSON.stringify(value).slice(1)}`).toString('base64');
}

function pay(payment: string, method = 'GET') {
  return fetch(`${base}/api/v1`, { method, headers: { 'payment-signature': payment } });
}

test('what is no payment at all is 400 and says what to pay (x402 v2, HTTP transport)', async () => {
  const good = unwrapped(await signed());
  const echo = (extension: object) =>
    wrapped({ ...good, extensions: { 'payment-identifier': extension } });
  for (const payment of [
    '%%%',
    'e30=',
    wrapped([]),
    // Readers differ in which of the two they take.
    twice(good, 'x402Version'),
    twice(good, 'payload'),
    'A'.repeat(40_000).slice(0, 12_000),
    wrapped({ ...good, payload: { authorization: {} } }),
    echo({ info: { required: false, id: 'short' } }),
    echo({ info: { required: false, id: `pay_${'x'.repeat(125)}` } }),
  ]) {
    const answer = await pay(payment);
    assert.equal(answer.status, 400, payment.slice(0, 20));
    const required = unwrapped(answer.headers.get('payment-required'));
    assert.equal(required['error'], 'invalid_payload');
    assert.equal(((await answer.json()) as { status: number }).status, 400);
  }
  const changed = await pay(echo({ info: { required: true, id: 'pay_0123456789abcdef' } }));
  assert.equal(changed.status, 402);
  assert.equal(
    unwrapped(changed.headers.get('payment-required'))['error'],
    'extension_echo_mismatch',
  );
});

test('a credential with a member that comes twice is none, whatever its challenge says', async () => {
  const names = ['id', 'realm', 'method', 'intent', 'request', 'expires', 'opaque'];
  const challenge = Object.fromEntries(names.map((name) => [name, 'x']));
  const problemOf = async (credential: string) => {
    const headers = { 'payment-authorization': `Payment ${credential}` };
    const answer = await fetch(`${base}/api/v1`, { headers });
    assert.equal(answer.status, 402);
    return ((await answer.json()) as { type: string }).type;
  };
  const credential = { challenge, payload: {} };
  assert.match(await problemOf(wrapped(credential)), /invalid-challenge$/);
  assert.match(await problemOf(twice(credential, 'payload')), /malformed-credential$/);
});

test('over MCP it is a result that says the same (x402 v2, MCP transport)', async (t) => {
  const policy = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(policy, "prices: { 'tool:service_status': { amount: '0.01', currency: USD } }\n");
  const own = await startWholeServer(t, { ...env, SERVICE_POLICY_FILE: policy });
  const _meta = { 'x402/payment': '%%%' };
  const params = { name: 'service_status', arguments: {}, _meta };
  const { body } = await legacy(new URL(`${own.base}/mcp`), { method: 'tools/call', params });
  const result = body.result as { isError: boolean; structuredContent: { error: string } };
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent.error, 'invalid_payload');
});

test('HEAD takes no payment: there is no answer that it could buy', async () => {
  const payment = await signed();
  const answer = await pay(payment, 'HEAD');
  assert.equal(answer.status, 402);
  assert.equal(answer.headers.get('payment-response'), null);
});

test('a payment for which no node answers is refused, and was not sent', async () => {
  const answer = await pay(await signed());
  assert.equal(answer.status, 402);
  const { error } = unwrapped(answer.headers.get('payment-required'));
  assert.equal(error, 'unexpected_settle_error');
});

test('pages of other origins may send every header with which something is paid', async () => {
  const answer = await fetch(`${base}/api/v1`, {
    method: 'OPTIONS',
    headers: { origin: 'https://page.example', 'access-control-request-method': 'GET' },
  });
  const allowed = String(answer.headers.get('access-control-allow-headers')).toLowerCase();
  for (const name of ['payment-signature', 'payment-authorization', 'authorization']) {
    assert.ok(allowed.split(', ').includes(name), allowed);
  }
});

test('what says whether the server works has no price', async (t) => {
  const policy = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(policy, "prices: { 'GET /healthz': { amount: '1', currency: USD } }\n");
  const start = startWholeServer(t, { SERVICE_POLICY_FILE: policy });
  await assert.rejects(start, /SERVICE_POLICY_FILE.*GET \/healthz/s);
});

test('a facilitator over http is refused at the start, and what allows it is named', async (t) => {
  const start = startWholeServer(t, {
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
    SERVICE_X402_FACILITATOR_URL: 'http://127.0.0.1:1',
  });
  await assert.rejects(start, /SERVICE_X402_FACILITATOR_URL.*SERVICE_ALLOW_INSECURE_FETCH/s);
});
