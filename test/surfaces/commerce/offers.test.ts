import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError } from '#contract/config/config';
import type { Price } from '#contract/operation';
import { cardCharge } from '../../../runtime/surfaces/commerce/card/card-charge.ts';
import { cardSettings } from '../../../runtime/surfaces/commerce/card/card-settings.ts';
import {
  challengeId,
  decoded,
  encoded,
  isOurs,
} from '../../../runtime/surfaces/commerce/mpp/challenge.ts';
import { atomicAmount } from '../../../runtime/surfaces/commerce/offers/atomic-amount.ts';
import { offerOf } from '../../../runtime/surfaces/commerce/offers/offer.ts';
import { chainSettings } from '../../../runtime/surfaces/commerce/offers/settings.ts';

const unset = {
  ...{ payTo: undefined, asset: undefined, facilitatorUrl: undefined, rpcUrl: undefined },
  ...{ gasKey: undefined, refundKey: undefined, network: 'eip155:84532' },
};

test('an amount is told in the smallest unit, and never rounded', () => {
  assert.equal(atomicAmount('0.01', 6), '10000');
  assert.equal(atomicAmount('12', 6), '12000000');
  assert.equal(atomicAmount('0.000001', 6), '1');
  assert.equal(atomicAmount('1.10', 2), '110');
  assert.equal(atomicAmount('999999999999999.999999', 6), '999999999999999999999');
  assert.equal(atomicAmount('5', 0), '5');
  assert.equal(atomicAmount('0.0000001', 6), undefined);
});

test('the id of a challenge is the HMAC of its seven slots (draft-httpauth-payment-00, appendix)', () => {
  const request = encoded({
    amount: '1000',
    currency: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    methodDetails: { chainId: 84532, credentialTypes: ['authorization'], decimals: 6 },
    recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  });
  const open = {
    ...{ realm: 'tools.example.com', method: 'evm', intent: 'charge', request, opaque: '' },
    expires: '2026-11-21T12:05:00Z',
  };
  const key = Buffer.from('test-secret-key-for-vectors-0123456789abcdef');
  assert.equal(challengeId(key, open), 'AgiYJXSeKfk7rTQ3zODVR1EO0R4vVOj5eWTfs2Q9Kh8');
  const challenge = { id: challengeId(key, open), ...open };
  assert.equal(isOurs(key, challenge), true);
  for (const changed of [
    { expires: '2027-11-21T12:05:00Z' },
    { realm: 'evil.example.com' },
    { request: encoded({ amount: '1' }) },
    { opaque: 'e30' },
    { id: 'short' },
  ]) {
    assert.equal(isOurs(key, { ...challenge, ...changed }), false, JSON.stringify(changed));
  }
  assert.equal(isOurs(Buffer.from('another key'), challenge), false);
});

test('what is no JSON object in base64url is nothing', () => {
  for (const text of ['', '?', encoded([1]), Buffer.from('1').toString('base64url')]) {
    assert.equal(decoded(text), undefined, text);
  }
});

test('USDC of Base is known, and a token of another chain is told in full', () => {
  assert.equal(chainSettings({ ...unset, network: 'eip155:8453' }).asset.name, 'USD Coin');
  const asset = `{"address":"0x${'a'.repeat(40)}","decimals":18,"name":"T","version":"1"}`;
  assert.equal(chainSettings({ ...unset, network: 'eip155:1', asset }).asset.decimals, 18);
  assert.throws(() => chainSettings({ ...unset, network: 'eip155:1' }), ConfigError);
  for (const wrong of ['{', '[]', '{"address":"0x1"}', asset.replace('18', '"18"')]) {
    assert.throws(() => chainSettings({ ...unset, asset: wrong }), /SERVICE_X402_ASSET/);
  }
});

test('nothing is payable before somebody gets the money and can move it', () => {
  const payTo = `0x${'1'.repeat(40)}`;
  const [rpcUrl, gasKey] = ['http://127.0.0.1:1', `0x${'2'.repeat(64)}`];
  assert.equal(chainSettings(unset).isPayable, false);
  assert.equal(chainSettings({ ...unset, payTo }).isPayable, false);
  assert.equal(chainSettings({ ...unset, payTo, rpcUrl }).isPayable, false);
  assert.equal(chainSettings({ ...unset, payTo, rpcUrl, gasKey }).isPayable, true);
  assert.equal(
    chainSettings({ ...unset, payTo, facilitatorUrl: 'https://f.example' }).isPayable,
    true,
  );
  assert.throws(() => chainSettings({ ...unset, gasKey: '0x12' }), /SERVICE_X402_PRIVATE_KEY/);
});

test('a price that nothing here can take stops the start', () => {
  const chain = chainSettings({ ...unset, payTo: `0x${'1'.repeat(40)}` });
  const operation = { name: 'echo', access: 'public' } as const;
  const offer = (price: Partial<Price>) =>
    offerOf(operation, { amount: '1', currency: 'USD', ...price }, { chain, card: undefined });
  assert.throws(() => offer({ rails: ['card'] }), /nothing here takes card/);
  assert.throws(() => offer({ amount: '0.0000001' }), /USDC has 6 decimals/);
  assert.equal(offer({ rails: ['mpp'] }).x402, undefined);
  assert.equal(offer({ rails: ['x402'] }).charge, undefined);
  assert.equal(offer({ maxTimeoutMs: 60_000 }).x402?.maxTimeoutSeconds, 60);
});

test('a card is charged in the smallest unit of its currency (ISO 4217), and never too little', () => {
  const card = cardSettings({
    ...{ cardSecretKey: 'sk_test_1', cardNetworkId: 'profile_1', cardWebhookSecret: undefined },
    ...{ cardApiUrl: 'https://api.stripe.com', cardMethods: ['card'], cardMinimum: '0.80' },
  });
  const charge = (amount: string, currency: string) => {
    const own = { amount, currency };
    const made = cardCharge({ amount: '1', currency: 'USD', card: own }, card);
    return typeof made === 'string' ? made : `${made.amount} ${made.currency}`;
  };
  assert.equal(charge('1.25', 'USD'), '125 usd');
  assert.equal(charge('75', 'JPY'), '75 jpy');
  assert.equal(charge('1000', 'KRW'), '1000 krw');
  assert.equal(charge('3', 'SEK'), '300 sek');
  assert.match(charge('75.5', 'JPY'), /JPY has 0 decimals/);
  assert.match(charge('1.255', 'EUR'), /EUR has 2 decimals/);
  assert.match(charge('49', 'JPY'), /50 JPY and more/);
  assert.match(charge('2.99', 'SEK'), /3\.00 SEK and more/);
  assert.match(charge('0.79', 'USD'), /0\.80 USD and more/);
  assert.match(charge('1', 'XAU'), /not charged in XAU/);
  assert.match(charge('1000000', 'USD'), /less/);
});

test('the settings of cards belong together', () => {
  const none = {
    ...{ cardSecretKey: undefined, cardNetworkId: undefined, cardWebhookSecret: undefined },
    ...{ cardApiUrl: 'https://api.stripe.com', cardMethods: ['card'], cardMinimum: '0.50' },
  };
  assert.equal(cardSettings(none), undefined);
  assert.throws(() => cardSettings({ ...none, cardSecretKey: 'sk_1' }), /SERVICE_CARD_NETWORK_ID/);
  assert.throws(() => cardSettings({ ...none, cardNetworkId: 'p' }), /SERVICE_CARD_SECRET_KEY/);
  assert.throws(() => cardSettings({ ...none, cardWebhookSecret: 's' }), /SERVICE_CARD_SECRET_KEY/);
});
