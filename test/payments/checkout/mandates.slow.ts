import assert from 'node:assert/strict';
import test from 'node:test';
import { base64url, compactVerify, flattenedVerify, importJWK, type JWK } from 'jose';
import { signedFor } from '../shop.ts';
import { type Answer, callTool, type Json } from './checkout-shop.ts';
import {
  bought,
  type Chain,
  chain,
  checkoutJwt,
  item,
  now,
  openWithMandates,
} from './mandate-shop.ts';
import { acceptsIn, paidOnChain } from './paid-on-chain.ts';
import { disclosing, hashOf, newSigner, ucp } from './platform.ts';

test('a session that was begun with mandates is completed with them alone (UCP with AP2 0.2)', async (t) => {
  const { base, url, issuer, agent, stranger, profile } = await openWithMandates(t);
  const begun = await ucp(base, '', profile, { line_items: [item] });
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  const session = begun.body;
  const { capabilities } = session['ucp'] as { capabilities: object };
  const inForce = ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.ap2_mandate'];
  assert.deepEqual(Object.keys(capabilities), inForce);
  const jwt = checkoutJwt(session);
  const { keys } = (await (await fetch(`${base}/.well-known/ucp`)).json()) as { keys: JWK[] };
  await compactVerify(jwt, await importJWK(keys[0] ?? {}, 'ES256'));
  const path = `/${String(session['id'])}/complete`;
  const accepts = acceptsIn(session);
  const complete = async (mandate: string | undefined, payment?: string): Promise<Answer> => {
    const { payment: paid } = paidOnChain(await signedFor(accepts)) as {
      payment: { instruments: { credential: object }[] };
    };
    const [instrument] = paid.instruments;
    const credential = { ...instrument?.credential, ...(payment && { payment_mandate: payment }) };
    return ucp(base, path, profile, {
      payment: { instruments: [{ ...instrument, credential }] },
      ...(mandate !== undefined && { ap2: { checkout_mandate: mandate } }),
    });
  };
  const closed = { checkout_jwt: jwt, checkout_hash: await hashOf(jwt) };
  const parts = { issuer, agent, base };
  const constraints = bought(base);
  const checkout = async (change: Partial<Chain> = {}, from: Json = closed) =>
    (await chain('checkout', from, { ...parts, open: { constraints }, ...change })).text;

  const [head = '', body = '', signature = ''] = jwt.split('.');
  const cheaper = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), totals: [] };
  const changed = `${head}.${base64url.encode(JSON.stringify(cheaper))}.${signature}`;
  const { body: another } = await ucp(base, '', profile, {
    line_items: [{ ...item, quantity: 5 }],
  });
  const otherJwt = checkoutJwt(another);
  const foreign = { ...parts, issuer: stranger };
  const good = await checkout();
  const refusals: readonly (readonly [why: string, mandate: string | undefined, code: string])[] = [
    ['none', undefined, 'mandate_required'],
    ['no token', 'abc', 'mandate_invalid_signature'],
    ['a stranger', await checkout(foreign), 'mandate_invalid_signature'],
    ['an unknown key', await checkout({ issuer: await newSigner('x') }), 'agent_missing_key'],
    [
      'another agent',
      await checkout({ agent, open: { constraints, cnf: { jwk: stranger.public } } }),
      'mandate_invalid_signature',
    ],
    ['expired', await checkout({ open: { constraints, exp: now() - 120 } }), 'mandate_expired'],
    ['not begun', await checkout({ open: { constraints, iat: now() + 900 } }), 'invalid_mandate'],
    [
      'another audience',
      await checkout({ bound: { aud: 'https://a.example' } }),
      'mandate_scope_mismatch',
    ],
    ['another binding', await checkout({ bound: { sd_hash: 'x' } }), 'mandate_invalid_signature'],
    ['another type', await checkout({ closed: { vct: 'mandate.checkout.2' } }), 'invalid_mandate'],
    ['another hash', await checkout({ closed: { checkout_hash: 'x' } }), 'mandate_scope_mismatch'],
    [
      'changed terms',
      await checkout({}, { checkout_jwt: changed, checkout_hash: await hashOf(changed) }),
      'merchant_authorization_invalid',
    ],
    [
      'another session',
      await checkout({}, { checkout_jwt: otherJwt, checkout_hash: await hashOf(otherJwt) }),
      'mandate_scope_mismatch',
    ],
    [
      'another shop',
      await checkout({
        open: { constraints: [{ type: 'checkout.allowed_merchants', allowed: [] }] },
      }),
      'mandate_scope_mismatch',
    ],
    [
      'too many',
      await checkout({
        open: {
          constraints: [
            {
              type: 'checkout.line_items',
              items: [{ id: 'l', quantity: 1, acceptable_items: [{ id: 'service_status' }] }],
            },
          ],
        },
      }),
      'mandate_scope_mismatch',
    ],
    [
      'what nobody knows',
      await checkout({ open: { constraints: [{ type: 'x' }] } }),
      'unresolved_constraint',
    ],
    [
      'one disclosure more',
      `${good}${base64url.encode('["s","x",1]')}~`,
      'mandate_invalid_signature',
    ],
    ['half of the chain', good.split('~~')[0], 'invalid_mandate'],
  ];
  for (const [why, mandate, code] of refusals) {
    const { status, body: told } = await complete(mandate);
    const [message] = told['messages'] as readonly Json[];
    assert.deepEqual([why, status, message?.['code']], [why, 400, code], JSON.stringify(told));
  }

  const fresh = await chain('checkout', closed, { ...parts, open: { constraints } });
  const payment = (change: Json, range: Json = {}) =>
    chain(
      'payment',
      {
        transaction_id: closed.checkout_hash,
        payee: { id: 'm', name: 'Shop', website: base },
        payment_amount: { amount: 50, currency: 'USD' },
        payment_instrument: { id: 'w', type: 'x402', description: 'Wallet' },
        ...change,
      },
      {
        ...parts,
        open: {
          constraints: [
            { type: 'payment.reference', conditional_transaction_id: fresh.reference },
            { type: 'payment.amount_range', currency: 'USD', max: 50, ...range },
          ],
        },
      },
    );
  const wrong = [
    await payment({ payment_amount: { amount: 49, currency: 'USD' } }),
    await payment({ payee: { id: 'm', name: 'Shop', website: 'https://a.example' } }),
    await payment({ transaction_id: 'x' }),
    await payment({}, { max: 49 }),
    await payment({ payment_instrument: { id: 'w', type: 'card' } }),
  ];
  for (const { text } of wrong) {
    const { status, body: told } = await complete(fresh.text, text);
    assert.equal(status, 400, JSON.stringify(told));
    assert.match(JSON.stringify(told), /mandate_scope_mismatch/);
  }
  assert.equal((await callTool(url, 'service_status'))['isError'], true, 'nothing was bought');

  const paid = await complete(fresh.text, (await payment({})).text);
  assert.equal(paid.body['status'], 'completed', JSON.stringify(paid.body));
  assert.notEqual((await callTool(url, 'service_status'))['isError'], true);
  const { checkout_receipt: receipt } = paid.body['ap2'] as { readonly checkout_receipt: string };
  const [receiptHead = '', receiptBody = '', receiptSignature = ''] = receipt.split('.');
  const flat = { protected: receiptHead, payload: receiptBody, signature: receiptSignature };
  const { payload } = await flattenedVerify(flat, await importJWK(keys[0] ?? {}, 'ES256'));
  const said = JSON.parse(new TextDecoder().decode(payload));
  const last = fresh.text.split('~~')[1] ?? '';
  assert.deepEqual([said.status, said.iss, said.reference], ['Success', base, await hashOf(last)]);

  // The same permission, for what the agent would like to have besides.
  const again = await ucp(base, '', profile, { line_items: [item] });
  const againJwt = checkoutJwt(again.body);
  const more = { checkout_jwt: againJwt, checkout_hash: await hashOf(againJwt) };
  const first = fresh.text.split('~~')[0] ?? '';
  const bound = { iat: now(), aud: base, nonce: 'n', sd_hash: fresh.reference };
  const mandate = { vct: 'mandate.checkout.1', ...more };
  const second = await disclosing(agent, { typ: 'kb+sd-jwt' }, bound, mandate);
  const replayed = await ucp(base, `/${String(again.body['id'])}/complete`, profile, {
    ...paidOnChain(await signedFor(acceptsIn(again.body))),
    ap2: { checkout_mandate: `${first}~~${second}` },
  });
  assert.equal(replayed.status, 400, JSON.stringify(replayed.body));
  assert.match(JSON.stringify(replayed.body), /mandate_scope_mismatch.*shown for another/);
});
