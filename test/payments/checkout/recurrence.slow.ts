import assert from 'node:assert/strict';
import test from 'node:test';
import { base64url } from 'jose';
import { signedFor } from '../shop.ts';
import type { Json } from './checkout-shop.ts';
import { bought, checkoutJwt, item, now, openWithMandates } from './mandate-shop.ts';
import { acceptsIn, paidOnChain } from './paid-on-chain.ts';
import { disclosing, hashOf, ucp } from './platform.ts';

/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Another signature of the same words that is as good: with s there is always n - s. */
function resigned(token: string): string {
  const [jwt = '', ...rest] = token.split('~');
  const dot = jwt.lastIndexOf('.');
  const bytes = Buffer.from(jwt.slice(dot + 1), 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
  const signature = base64url.encode(Buffer.concat([bytes.subarray(0, 32), other]));
  return [`${jwt.slice(0, dot + 1)}${signature}`, ...rest].join('~');
}

test('a mandate for several purchases is good for those that it says, across sessions (AP2 0.2)', async (t) => {
  const { base, issuer, agent, profile } = await openWithMandates(t);
  const permission = async (kind: string, constraints: readonly Json[]) =>
    disclosing(
      issuer,
      { typ: 'dc+sd-jwt' },
      {},
      {
        ...{ vct: `mandate.${kind}.open.1`, iat: now(), exp: now() + 3600 },
        ...{ cnf: { jwk: agent.public }, constraints },
      },
    );
  const use = async (open: string, mandate: Json) => {
    const bound = { iat: now(), aud: base, nonce: crypto.randomUUID() };
    const claims = { ...bound, sd_hash: await hashOf(open) };
    return `${open}~${await disclosing(agent, { typ: 'kb+sd-jwt' }, claims, mandate)}`;
  };
  /** Begin a session, and pay for it by two permissions. */
  const buy = async (checkout: string, payment: string | undefined) => {
    const { body: session } = await ucp(base, '', profile, { line_items: [item] });
    const jwt = checkoutJwt(session);
    const hash = await hashOf(jwt);
    const closed = { vct: 'mandate.checkout.1', checkout_jwt: jwt, checkout_hash: hash };
    const { payment: paid } = paidOnChain(await signedFor(acceptsIn(session))) as {
      payment: { instruments: { credential: object }[] };
    };
    const [instrument] = paid.instruments;
    const order_ = {
      ...{ vct: 'mandate.payment.1', transaction_id: hash },
      payee: { id: 'm', name: 'Shop', website: base },
      payment_amount: { amount: 50, currency: 'USD' },
      payment_instrument: { id: 'w', type: 'x402', description: 'Wallet' },
    };
    const allowed = payment && { payment_mandate: await use(payment, order_) };
    const answer = await ucp(base, `/${String(session['id'])}/complete`, profile, {
      payment: {
        instruments: [{ ...instrument, credential: { ...instrument?.credential, ...allowed } }],
      },
      ap2: { checkout_mandate: await use(checkout, closed) },
    });
    return answer.status === 200 ? String(answer.body['status']) : JSON.stringify(answer.body);
  };

  const checkout = await permission('checkout', bought(base));
  const reference = {
    type: 'payment.reference',
    conditional_transaction_id: await hashOf(checkout),
  };
  const often = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND', max_occurrences: 9 };
  const budget = { type: 'payment.budget', max: 1.2, currency: 'USD' };
  const payment = await permission('payment', [reference, often, budget]);
  assert.equal(await buy(checkout, payment), 'completed');
  assert.equal(await buy(checkout, payment), 'completed', 'it is good for another one');
  assert.match(await buy(checkout, payment), /payment.budget .* 120 cents, of which 100/);
  assert.match(await buy(checkout, undefined), /good for one/);

  const daily = { type: 'payment.agent_recurrence', frequency: 'DAILY' };
  const once = await permission('payment', [reference, daily]);
  assert.equal(await buy(checkout, once), 'completed');
  assert.match(await buy(checkout, once), /payment.agent_recurrence .* too short ago/);

  // Who has a permission cannot make a second one of it.
  const single = await permission('checkout', bought(base));
  assert.equal(await buy(single, undefined), 'completed');
  assert.match(await buy(resigned(single), undefined), /good for one/);

  const set = await permission('payment', [
    { ...reference, conditional_transaction_id: await hashOf(checkout) },
    often,
  ]);
  assert.equal(await buy(checkout, set), 'completed');
});
