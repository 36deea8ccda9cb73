import assert from 'node:assert/strict';
import test from 'node:test';
import { base64url } from 'jose';
import { hashOf } from '../../../payments/checkout/platform.ts';
import {
  closedBy,
  disclosureOf,
  type Json,
  lineItems,
  merchant,
  openDesk,
  openOf,
  seconds,
  shop,
  type Token,
  tokenOf,
} from './mandate-lab.ts';

const forbids = { type: 'checkout.allowed_merchants', allowed: [] };
const allows = { type: 'checkout.allowed_merchants', allowed: [merchant] };

test('a limit cannot be hidden by whoever it limits (AP2 0.2, constraints; RFC 9901, section 7.1)', async (t) => {
  const { issuer, agent, begin } = await openDesk(t);
  const { checkout, require } = await begin();
  const open = openOf('checkout', agent.public, [lineItems, allows]);
  const buy = async (mandate: Json, more: Token = {}) => {
    const before = await tokenOf(issuer, { mandate, ...more });
    return require(await closedBy(agent, before, { mandate: checkout }));
  };
  const hidden = await disclosureOf(forbids);
  const all = await disclosureOf('constraints', [forbids]);
  const type = await disclosureOf('vct', open['vct']);
  const end = await disclosureOf('exp', seconds - 9999);
  const { constraints: _, ...without } = open;
  const { vct: __, ...typeless } = open;
  const refusals: readonly (readonly [string, Json, string])[] = [
    ['one of them', { ...open, constraints: [lineItems, { '...': hidden.digest }] }, 'unresolved'],
    ['all of them', { ...without, _sd: [all.digest] }, 'unresolved'],
    ['its end', { ...open, _sd: [end.digest] }, 'unresolved'],
    ['a part', { ...open, constraints: [lineItems, { ...allows, _sd: ['x'] }] }, 'unresolved'],
    ['its type', { ...typeless, _sd: [type.digest] }, 'invalid_mandate'],
    ['no type', { ...typeless, constraints: [lineItems, forbids] }, 'invalid_mandate'],
    ['a type of its own', { ...open, vct: 'Mandate.checkout.open.1' }, 'invalid_mandate'],
    ['another name', { ...open, vct: 'urn:ap2:mandate.checkout.open.1' }, 'invalid_mandate'],
    ['another version', { ...open, vct: 'mandate.checkout.open.2' }, 'invalid_mandate'],
    ['for payments', { ...open, vct: 'mandate.payment.open.1' }, 'invalid_mandate'],
    ['no limits', without, 'invalid_mandate'],
    ['any number of things', { ...open, constraints: [allows] }, 'invalid_mandate'],
  ];
  for (const [why, mandate, code] of refusals) {
    const found = new RegExp(code);
    await assert.rejects(buy(mandate), (error: { code: string }) => found.test(error.code), why);
  }

  // What the issuer has said beside the mandate is as good as what stands in it.
  const beside: readonly (readonly [string, Json, string])[] = [
    ['its end', { _sd: [end.digest] }, 'unresolved'],
    ['a limit', { limits: [{ '...': hidden.digest }] }, 'unresolved'],
    ['a part of one', { limits: { _sd: ['x'] } }, 'unresolved'],
  ];
  for (const [why, claims, code] of beside) {
    const found = new RegExp(code);
    const bought = buy(open, { claims });
    await assert.rejects(bought, (error: { code: string }) => found.test(error.code), why);
  }
  const told = { claims: { _sd: [end.digest] }, told: [end.text] };
  await assert.rejects(buy(open, told), { code: 'mandate_expired' });
  const stated = await tokenOf(issuer, { mandate: open });
  const last = { mandate: checkout, claims: { _sd: ['x'] } };
  await assert.rejects(require(await closedBy(agent, stated, last)), {
    code: 'unresolved_constraint',
  });

  // What is marked so may stay untold, as long as what is told is enough.
  const other = await disclosureOf({ ...merchant, website: 'https://other.example' });
  const own = await disclosureOf(merchant);
  const among = [{ '...': other.digest }, { '...': own.digest }];
  const mandate = { ...open, constraints: [lineItems, { ...allows, allowed: among }] };
  await assert.rejects(buy(mandate), /allowed_merchants does not allow it/);
  await buy(mandate, { told: [own.text] });
});

test('what a mandate says twice it does not say at all (RFC 8259, section 4)', async (t) => {
  const { issuer, agent, begin } = await openDesk(t);
  const { checkout, require } = await begin();
  const open = JSON.stringify(['salt', openOf('checkout', agent.public, [lineItems, allows])]);
  const buy = async (disclosed: string) => {
    const text = base64url.encode(disclosed);
    const claims = { delegate_payload: [{ '...': await hashOf(text) }] };
    const before = await tokenOf(issuer, { claims, told: [text] });
    return require(await closedBy(agent, before, { mandate: checkout }));
  };
  const limits = JSON.stringify([lineItems, forbids]);
  for (const name of ['constraints', '\\u0063onstraints']) {
    const twice = open.replace('"constraints":', `"${name}":${limits},"constraints":`);
    await assert.rejects(buy(twice), /an object in it has ".+" twice/, name);
  }
  await buy(open);
});

test('a credential stands before the mandates that are made with it (AP2 0.2, user credential)', async (t) => {
  const { issuer, agent: person, begin } = await openDesk(t);
  const claims = {
    ...{ vct: 'com.emvco.dpc', iat: seconds, exp: seconds + 157_680_000 },
    ...{ cnf: { jwk: person.public }, _sd: ['x'] },
  };
  const credential = await tokenOf(issuer, { claims });
  const buy = async () => {
    const { checkout, require } = await begin();
    await require(await closedBy(person, credential, { mandate: checkout }));
  };
  await buy();
  await buy();

  const { checkout, require } = await begin();
  const limits = openOf('checkout', person.public, [lineItems, forbids]);
  const pretended: readonly Json[] = [
    { ...limits, vct: 'com.emvco.dpc' },
    { ...limits, vct: 'Mandate.checkout.open.1', constraints: undefined },
    { ...limits, vct: undefined, constraints: undefined, _sd: ['x', 'y'] },
  ];
  for (const each of pretended) {
    const before = await tokenOf(issuer, { claims: each });
    const text = await closedBy(person, before, { mandate: checkout });
    await assert.rejects(require(text), { code: 'invalid_mandate' }, JSON.stringify(each));
  }
});

test('what an open mandate for payments says already holds (AP2 0.2, processing rules, 2)', async (t) => {
  const { issuer, agent, begin } = await openDesk(t);
  const buy = async (open: Json, change: Json = {}, limits: readonly Json[] = []) => {
    const { checkout, payment, require } = await begin();
    const toBuy = openOf('checkout', agent.public, [lineItems]);
    const before = await tokenOf(issuer, { mandate: toBuy });
    const id = await hashOf(before);
    const reference = { type: 'payment.reference', conditional_transaction_id: id };
    const toPay = { ...openOf('payment', agent.public, [reference, ...limits]), ...open };
    const paying = await tokenOf(issuer, { mandate: toPay });
    return require(await closedBy(agent, before, { mandate: checkout }), await closedBy(
      agent,
      paying,
      { mandate: { ...payment, ...change } },
    ));
  };
  const instruments = (id: string) => ({
    type: 'payment.allowed_payment_instruments',
    allowed: [{ id, type: 'x402', description: 'Wallet' }],
  });
  const mismatch = 'mandate_scope_mismatch';
  const past = '2020-01-01T00:00:00Z';
  const refusals: readonly (readonly [Json, Json, readonly Json[], string])[] = [
    [{ payment_amount: { amount: 1, currency: 'USD' } }, {}, [], mismatch],
    [{ payee: { ...merchant, id: 'z' } }, {}, [], mismatch],
    [{ payment_instrument: { id: 'c', type: 'card' } }, {}, [], mismatch],
    [{ transaction_id: 'x' }, {}, [], mismatch],
    [{ execution_date: past }, {}, [], mismatch],
    [{ execution_date: past }, { execution_date: past }, [], mismatch],
    [{}, { execution_date: '2026-12-24' }, [], mismatch],
    [{}, { execution_date: 'never' }, [], mismatch],
    [{}, {}, [instruments('other')], mismatch],
    [{ constraints: [] }, {}, [], 'invalid_mandate'],
    [{ vct: 'mandate.payment.open.2' }, {}, [], 'invalid_mandate'],
    [{ vct: 'mandate.checkout.open.1' }, {}, [], 'invalid_mandate'],
  ];
  for (const [open, change, limits, code] of refusals) {
    const what = JSON.stringify([open, change, limits]);
    await assert.rejects(buy(open, change, limits), { code }, what);
  }
  const day = { execution_date: '2026-11-23' };
  await buy({ payee: merchant, ...day }, day, [instruments('w')]);
});

test('a token is read in one way alone (RFC 4648, section 3.5; RFC 9901, explicit typing)', async (t) => {
  const { issuer, agent, begin } = await openDesk(t);
  const { checkout, require } = await begin();
  const mandate = openOf('checkout', agent.public, [lineItems]);
  for (const typ of ['JWT', 'at+jwt', 'kb+sd-jwt', undefined]) {
    const before = await tokenOf(issuer, { mandate, head: { typ } });
    const text = await closedBy(agent, before, { mandate: checkout });
    await assert.rejects(require(text), { code: 'invalid_mandate' }, String(typ));
  }
  const good = await tokenOf(issuer, { mandate });
  const [jwt = '', ...rest] = good.split('~');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = letters[letters.indexOf(jwt.at(-1) ?? '') ^ 1] ?? '';
  const other = [`${jwt.slice(0, -1)}${last}`, ...rest].join('~');
  const bytes = [jwt, `${jwt.slice(0, -1)}${last}`].map((text) =>
    base64url.encode(base64url.decode(text.split('.')[2] ?? '')),
  );
  assert.equal(bytes[0], bytes[1], 'it is the same signature');
  const text = await closedBy(agent, other, { mandate: checkout });
  await assert.rejects(require(text), /no base64url/);
  await require(await closedBy(agent, good, { mandate: checkout, claims: { aud: shop } }));
});

test('what was allowed long ago is not allowed for ever', async (t) => {
  const { issuer, agent, begin } = await openDesk(t);
  const { checkout, require } = await begin();
  const { exp: _, ...endless } = openOf('checkout', agent.public, [lineItems]);
  const year = 31_536_000;
  const times: readonly (readonly [Json, string])[] = [
    [{ ...endless, iat: seconds - 2 * year }, 'mandate_expired'],
    [{ ...endless, iat: undefined }, 'mandate_expired'],
    [{ ...endless, exp: seconds + 2 * year }, 'invalid_mandate'],
  ];
  for (const [mandate, code] of times) {
    const before = await tokenOf(issuer, { mandate });
    const text = await closedBy(agent, before, { mandate: checkout });
    await assert.rejects(require(text), { code }, JSON.stringify(mandate));
  }
});
