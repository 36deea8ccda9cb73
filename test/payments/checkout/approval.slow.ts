import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { signedFor } from '../shop.ts';
import { acp, handlerIn, type Json, onChain, openCheckoutShop, wanted } from './checkout-shop.ts';

test('nobody is bothered to agree to a payment that is none', async (t) => {
  const file = join(temporaryDirectory(t), 'policy.yaml');
  const price = "prices:\n  tool:service_status: { amount: '0.25', currency: USD }\n";
  writeFileSync(file, `${price}approve_above: { amount: '0.10', currency: USD }\n`);
  const { base } = await openCheckoutShop(t, { SERVICE_POLICY_FILE: file });
  const begun = await acp(base, '/checkout_sessions', wanted({ id: 'service_status' }));
  const { accepts } = handlerIn(begun.body, 'x402') as { readonly accepts: readonly Json[] };
  const path = `/checkout_sessions/${String(begun.body['id'])}/complete`;

  const wrong = await signedFor({ ...accepts[0], amount: '1' });
  for (const shown of ['bm8gcGF5bWVudA==', wrong]) {
    const refused = await acp(base, path, onChain(shown));
    assert.equal(refused.status, 200, JSON.stringify(refused.body));
    assert.equal(refused.body['status'], 'ready_for_payment');
    assert.doesNotMatch(JSON.stringify(refused.body), /confirmation|approv/i);
  }

  const good = await signedFor(accepts[0]);
  const asked = await acp(base, path, onChain(good));
  assert.match(JSON.stringify(asked.body), /confirmation|approv/i, 'a person is asked now');
  const after = await acp(base, path.replace('/complete', ''));
  assert.equal(after.body['status'], 'ready_for_payment', 'it can be paid once somebody agrees');
  assert.deepEqual(after.body['messages'], [], 'and nothing is wrong with the payment');
});
