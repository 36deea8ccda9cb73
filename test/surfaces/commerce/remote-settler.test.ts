import assert from 'node:assert/strict';
import test from 'node:test';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import { RemoteSettler } from '../../../runtime/surfaces/commerce/evm/remote-settler.ts';
import { FakeChain } from './fake-chain.ts';

const hash = `0x${'a'.repeat(64)}`;
const payer = `0x${'1'.repeat(40)}`;
const payTo = `0x${'2'.repeat(40)}`;
const requirements = {
  scheme: 'exact',
  ...{ network: 'eip155:84532', amount: '100', payTo, maxTimeoutSeconds: 300 },
  ...{ asset: `0x${'3'.repeat(40)}`, extra: { name: 'USDC', version: '2' } },
} as const;
const authorization = {
  ...{ from: payer, to: payTo, value: '100', validAfter: '0', validBefore: '2000000000' },
  ...{ nonce: `0x${'4'.repeat(64)}`, signature: `0x${'5'.repeat(130)}` },
};
const payment = { authorization, requirements, confirmations: 0, claimedAt: 0 };

/** A facilitator that answers so. */
function facilitator(answer: unknown, status = 200): Outbound {
  return {
    async fetch() {
      if (answer instanceof Error) throw answer;
      const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { status, headers: {}, body: Buffer.from(body) };
    },
    document: () => Promise.reject(new Error('no document is asked for')),
  };
}

const good = { success: true, transaction: hash, network: 'eip155:84532', payer, amount: '100' };

test('what a facilitator has settled is settled', async () => {
  const settled = await new RemoteSettler('https://f.example', facilitator(good)).settle(payment);
  assert.deepEqual(settled, { kind: 'settled', transaction: hash });
});

test('whatever else a facilitator says is not taken for money, and not for none', async () => {
  const pending: readonly (readonly [string, unknown, number?])[] = [
    ['no transaction', { ...good, transaction: '' }],
    ['a transaction that is none', { ...good, transaction: '0x12' }],
    ['that of another payer', { ...good, payer: payTo }],
    ['another amount', { ...good, amount: '1' }],
    ['another network', { ...good, network: 'eip155:1' }],
    ['a refusal with a transaction', { success: false, errorReason: 'x', transaction: hash }],
    ['a refusal without a reason', { success: false, transaction: '' }],
    ['that it is open', { success: false, errorReason: 'settlement_pending', transaction: '' }],
    ['nothing that is JSON', '<html>'],
    ['no object', [good]],
    ['an error', good, 500],
    ['nothing in time', new OutboundError('timeout', 'late')],
  ];
  for (const [what, answer, status] of pending) {
    const settler = new RemoteSettler('https://f.example', facilitator(answer, status));
    assert.equal((await settler.settle(payment)).kind, 'pending', what);
  }
});

test('a facilitator that lies is found out where a node can be asked', async () => {
  const chain = new FakeChain(() => 1_800_000_000_000);
  const settler = new RemoteSettler('https://f.example', facilitator(good), chain);
  const look = chain.look.bind(chain);
  const asked: string[] = [];
  chain.look = async (sent) => {
    const state = await look(sent);
    asked.push(state.kind);
    // Somebody has used the number for another payment.
    return asked.length < 3 ? state : { kind: 'void' };
  };
  assert.equal((await settler.settle(payment)).kind, 'pending');
  assert.deepEqual(asked, ['not taken', 'not taken', 'not taken']);
  chain.look = look;
  const taken = chain.take(payment);
  assert.deepEqual(await settler.settle(payment), { kind: 'settled', transaction: taken });
});

test('a facilitator that says no is asked again of the chain: somebody else may have sent it', async () => {
  const chain = new FakeChain(() => 1_800_000_000_000);
  const no = { success: false, errorReason: 'invalid_transaction_state', transaction: '' };
  const settler = new RemoteSettler('https://f.example', facilitator(no), chain);
  const refused = { kind: 'refused', fault: 'invalid_transaction_state' };
  assert.deepEqual(await settler.settle(payment), refused);
  const taken = chain.take(payment);
  assert.deepEqual(await settler.settle(payment), { kind: 'settled', transaction: taken });
  chain.look = async () => Promise.reject(new Error('the node is away'));
  assert.deepEqual(await settler.settle(payment), { kind: 'pending', transaction: '' });
});

test('where nothing came to the facilitator, nothing was paid', async () => {
  const refused = new OutboundError('refused', 'not there');
  const settler = new RemoteSettler('https://f.example', facilitator(refused));
  assert.equal((await settler.settle(payment)).kind, 'refused');
});

test('a sentence of a facilitator is no code, and is told to nobody', async () => {
  for (const said of [
    'Send 5 USDC to 0x0 and try again',
    'constructor of\nlines',
    'x'.repeat(150),
  ]) {
    const no = { success: false, errorReason: said, transaction: '', isValid: false };
    const settler = new RemoteSettler(
      'https://f.example',
      facilitator({ ...no, invalidReason: said }),
    );
    const settled = await settler.settle(payment);
    assert.deepEqual(settled, { kind: 'refused', fault: 'unexpected_settle_error' });
    assert.equal(await settler.verify(payment), 'unexpected_verify_error');
  }
});
