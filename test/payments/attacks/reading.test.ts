import assert from 'node:assert/strict';
import { request } from 'node:http';
import test, { after, before } from 'node:test';
import { pay, payer, type Signed, signedPayment, unwrapped, wrapped } from '../shop.ts';
import { challengeOf, credentialFor, showCredential } from './credential.ts';
import { openStall, type Stall } from './stall.ts';

// Whatever is wrong is found before any node is asked: there is none.

let stall: Stall;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => Promise<void>) };
  const policy = "prices: { 'tool:service_status': { amount: '0.01', currency: USD } }\n";
  stall = await openStall(t, { policy });
});

after(async () => {
  for (const end of ends.toReversed()) await end();
});

interface Written {
  readonly accepted: Record<string, unknown>;
  readonly payload: { readonly signature: string; readonly authorization: Record<string, string> };
}

async function written(signed: Signed = {}): Promise<Written> {
  return unwrapped(await signedPayment(stall.base, '/api/v1', signed)) as unknown as Written;
}

/** Pay with something, and give the code that is told. */
async function codeFor(payment: string | object): Promise<string> {
  const shown = typeof payment === 'string' ? payment : wrapped(payment);
  const answer = await pay(stall.base, '/api/v1', shown);
  const code = String(unwrapped(answer.headers.get('payment-required'))['error']);
  assert.equal(answer.status, code === 'invalid_payload' ? 400 : 402, code);
  return code;
}

test('text with anything between the characters of base64 is no payment', async () => {
  const good = wrapped(await written());
  const half = good.length / 2;
  for (const text of [
    `${good.slice(0, half)} ${good.slice(half)}`,
    `!${good}`,
    `${good}.%`,
    `"${good}"`,
    `${good}, ${good}`,
    good.replace(/=*$/, '==='),
  ]) {
    assert.equal(await codeFor(text), 'invalid_payload', text.slice(0, 10));
  }
});

test('a header that comes twice pays nothing, whichever of the two would be believed', async () => {
  const shown = [wrapped(await written()), wrapped(await written())];
  const asked = request(`${stall.base}/api/v1`, { headers: { 'payment-signature': shown } });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  asked.on('response', (answer) => resolve(answer.resume().statusCode)).end();
  assert.equal(await promise, 400);
});

test('numbers are decimal digits without anything around them', async () => {
  for (const amount of ['010000', '1e4', '+10000', ' 10000', '10000.0', '0x2710', '１００００']) {
    const { payload, ...rest } = await written();
    const authorization = { ...payload.authorization, value: amount };
    assert.equal(
      await codeFor({ ...rest, payload: { ...payload, authorization } }),
      'invalid_payload',
    );
  }
  const { payload, ...rest } = await written();
  const authorization = { ...payload.authorization, validBefore: String(2n ** 256n) };
  assert.equal(
    await codeFor({ ...rest, payload: { ...payload, authorization } }),
    'invalid_payload',
  );
});

test('too little and too much are no payment', async () => {
  const code = 'invalid_exact_evm_payload_authorization_value_mismatch';
  for (const amount of ['9999', '10001', '0'])
    assert.equal(await codeFor(await written({ amount })), code);
});

test('an authorization that is over, or not good yet, is no payment', async () => {
  const now = Math.floor(Date.now() / 1000);
  const over = await written({ validBefore: now + 2 });
  assert.equal(await codeFor(over), 'invalid_exact_evm_payload_authorization_valid_before');
  const early = await written({ validAfter: now + 600 });
  assert.equal(await codeFor(early), 'invalid_exact_evm_payload_authorization_valid_after');
});

test('a payment to somebody else is no payment', async () => {
  const code = 'invalid_exact_evm_recipient_mismatch';
  assert.equal(await codeFor(await written({ to: payer.address })), code);
});

test('another network, asset, price or receiver than was asked for matches nothing', async () => {
  const good = await written();
  for (const change of [
    { network: 'eip155:1' },
    { asset: `0x${'9'.repeat(40)}` },
    { amount: '1' },
    { payTo: payer.address },
    { extra: { name: 'USDC', version: '1' } },
    { maxTimeoutSeconds: 1e9 },
  ]) {
    const accepted = { ...good.accepted, ...change };
    assert.equal(await codeFor({ ...good, accepted }), 'No matching payment requirements');
  }
});

test('signatures of somebody else and of contracts have their codes (ERC-1271, ERC-6492)', async () => {
  const { payload, ...rest } = await written();
  const signedBy = (signature: string) => ({ ...rest, payload: { ...payload, signature } });
  const flipped = `${payload.signature.slice(0, 20)}${payload.signature[20] === '0' ? '1' : '0'}${payload.signature.slice(21)}`;
  const contract = `0x${'ab'.repeat(200)}`;
  const undeployed = `0x${'ab'.repeat(200)}${'6492'.repeat(16)}`;
  assert.equal(await codeFor(signedBy(flipped)), 'invalid_exact_evm_signature');
  assert.equal(await codeFor(signedBy(contract)), 'invalid_exact_evm_signature');
  assert.equal(await codeFor(signedBy(undeployed)), 'eip6492_factory_not_allowed');
  assert.equal(await codeFor(signedBy('0x12')), 'invalid_payload');
});

test('a refusal is one entry of the audit log with its reason, and nothing of what was shown', async () => {
  const before = (await stall.audited('PAYMENT_REFUSED')).length;
  const payment = await written({ amount: '9999' });
  await codeFor(payment);
  const entries = await stall.audited('PAYMENT_REFUSED');
  assert.equal(entries.length, before + 1);
  const told = JSON.stringify(entries[0]);
  assert.match(told, /"error":"invalid_exact_evm_payload_authorization_value_mismatch"/);
  assert.match(told, /"problem":"payment-insufficient"/);
  for (const secret of [payment.payload.signature, payment.payload.authorization['nonce']]) {
    assert.ok(!told.includes(String(secret)));
  }
});

test('a challenge that was changed, or made by somebody else, is refused', async () => {
  const challenge = await challengeOf(stall.base, '/api/v1');
  const later = new Date(Date.now() + 1e9).toISOString();
  for (const change of [{ expires: later }, { realm: 'example.com' }, { id: 'A'.repeat(43) }]) {
    const credential = await credentialFor({ ...challenge, ...change });
    const { status, problem } = await showCredential(stall.base, '/api/v1', credential);
    assert.deepEqual([status, problem], [402, 'invalid-challenge'], JSON.stringify(change));
  }
});

test('a challenge buys what it was made for', async () => {
  const credential = await credentialFor(await challengeOf(stall.base, '/api'));
  const { status, problem } = await showCredential(stall.base, '/api/v1', credential);
  assert.deepEqual([status, problem], [402, 'invalid-challenge']);
});

test('an authorization is that of its challenge, by its number', async () => {
  const nonce = `0x${'7'.repeat(64)}` as const;
  const credential = await credentialFor(await challengeOf(stall.base, '/api/v1'), { nonce });
  const { status, problem } = await showCredential(stall.base, '/api/v1', credential);
  assert.deepEqual([status, problem], [402, 'invalid-payload']);
});

test('a number that JSON cannot say is refused before anything is asked to be paid', async () => {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_status","arguments":{"x":1e400}}}`;
  const answer = await fetch(`${stall.base}/mcp`, {
    ...{ method: 'POST', body },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
  });
  const text = await answer.text();
  assert.doesNotMatch(text, /internal error|-32603/);
});

test('what costs something costs it for scripts, and through the tool that calls tools', async (t) => {
  const policy = "prices: { 'tool:service_status': { amount: '0.01', currency: USD } }\n";
  const { call } = await openStall(t, { policy, env: { SERVICE_TOOL_MODE: 'code' } });
  const code = 'return await tools.service_status({})';
  for (const told of [
    await call('tool_call', { name: 'service_status', arguments: {} }),
    await call('api_run', { code }),
    await call('api_run', { code: "return await tools['service_status']({})" }),
  ]) {
    assert.equal(told.isError, true, JSON.stringify(told));
    assert.doesNotMatch(JSON.stringify(told), /uptime_seconds/);
  }
});
