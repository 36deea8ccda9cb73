import assert from 'node:assert/strict';
import test from 'node:test';
import { importFrom } from './client-packages.ts';
import { openShop, pay, payer, signedFor, unwrapped } from './shop.ts';

type Json = Readonly<Record<string, unknown>>;
interface Signed {
  readonly format: string;
  readonly signature: string;
  readonly acceptIndex?: number;
}
type Verify = (signed: Signed, key?: unknown) => Promise<Json>;

/** The client of the extension, as its authors publish it. */
async function reference() {
  return (await importFrom('@x402/extensions/offer-receipt')) as unknown as {
    readonly extractOffersFromPaymentRequired: (required: Json) => readonly Signed[];
    readonly decodeSignedOffers: (offers: readonly Signed[]) => readonly Json[];
    readonly findAcceptsObjectFromSignedOffer: (offer: Json, accepts: readonly Json[]) => unknown;
    readonly extractReceiptFromResponse: (response: Response) => Signed | undefined;
    readonly verifyOfferSignatureJWS: Verify;
    readonly verifyReceiptSignatureJWS: Verify;
    readonly verifyReceiptMatchesOffer: (
      receipt: Signed,
      offer: Json,
      payers: readonly string[],
    ) => boolean;
  };
}

/** The same signature over something else. */
function forged(signed: Signed, change: Json): Signed {
  const [head, body = '', signature] = signed.signature.split('.');
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
  const other = Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url');
  return { ...signed, signature: [head, other, signature].join('.') };
}

test('a client of the extension proves what it was asked for and what it has paid (x402 v2, offer-receipt)', async (t) => {
  const client = await reference();
  const { base } = await openShop(t);
  const required = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  const accepts = required['accepts'] as readonly Json[];
  const offers = client.extractOffersFromPaymentRequired(required);
  assert.equal(offers.length, accepts.length);
  const decoded = client.decodeSignedOffers(offers);
  for (const [index, offer] of offers.entries()) {
    // Its key comes from the document behind its name.
    const payload = await client.verifyOfferSignatureJWS(offer);
    assert.equal(payload['resourceUrl'], `${base}/api/v1`);
    assert.ok(Number(payload['validUntil']) * 1000 > Date.now() + 300_000);
    assert.deepEqual(
      client.findAcceptsObjectFromSignedOffer(decoded[index] ?? {}, accepts),
      accepts[index],
    );
    await assert.rejects(client.verifyOfferSignatureJWS(forged(offer, { amount: '1' })));
  }

  const payment = await signedFor(accepts[0]);
  const paid = await pay(base, '/api/v1', payment);
  assert.equal(paid.status, 200, await paid.clone().text());
  const receipt = client.extractReceiptFromResponse(paid);
  assert.ok(receipt);
  const { keys } = (await (await fetch(`${base}/.well-known/jwks.json`)).json()) as {
    readonly keys: readonly Json[];
  };
  // And with a key that was put aside, where the server is no more.
  const said = await client.verifyReceiptSignatureJWS(receipt, keys[0]);
  const settled = unwrapped(paid.headers.get('payment-response'));
  assert.equal(said['transaction'], settled['transaction']);
  assert.equal(said['payer'], payer.address);
  assert.ok(client.verifyReceiptMatchesOffer(receipt, decoded[0] ?? {}, [payer.address]));
  const foreign = { payer: '0x0000000000000000000000000000000000000001' };
  await assert.rejects(client.verifyReceiptSignatureJWS(forged(receipt, foreign), keys[0]));
});

test('what a client gives back of signed offers changes nothing', async (t) => {
  const { base } = await openShop(t);
  const required = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  const accepts = required['accepts'] as readonly Json[];
  const plain = unwrapped(await signedFor(accepts[0]));
  const extensions = { 'offer-receipt': { info: { offers: [{ format: 'jws', signature: 'x' }] } } };
  const payment = Buffer.from(JSON.stringify({ ...plain, extensions })).toString('base64');
  assert.equal((await pay(base, '/api/v1', payment)).status, 200);
});

test('where the operator does not want it, nothing is signed', async (t) => {
  const { base } = await openShop(t, { env: { SERVICE_X402_SIGN_OFFERS: 'no' } });
  const required = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  assert.equal((required['extensions'] as Json)['offer-receipt'], undefined);
  const paid = await pay(base, '/api/v1', await signedFor((required['accepts'] as Json[])[0]));
  assert.equal(unwrapped(paid.headers.get('payment-response'))['extensions'], undefined);
});
