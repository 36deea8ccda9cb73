import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { signedFor } from '../shop.ts';
import {
  acp,
  byCard,
  handlerIn,
  type Json,
  onChain,
  openCheckoutShop,
  wanted,
} from './checkout-shop.ts';

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

/** Agree on a page as a browser does. */
async function approve(page: string): Promise<string> {
  const asked = await fetch(page, { headers: { accept: 'text/html' } });
  const html = await asked.text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
  const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
  const done = await fetch(page, {
    method: 'POST',
    headers: { cookie, origin: new URL(page).origin },
    body: new URLSearchParams({ token, decision: 'approved' }),
  });
  assert.equal(done.status, 200, await done.text());
  return html;
}

test('who agrees to a purchase sees what is bought, and has agreed to nothing else', async (t) => {
  const file = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(
    file,
    `prices:
  tool:service_status: { amount: '0.25', currency: USD }
  tool:payments_quote: { amount: '0.50', currency: USD }
approve_above: { amount: '1', currency: USD }
`,
  );
  const { base, card } = await openCheckoutShop(t, { SERVICE_POLICY_FILE: file });
  const eight = wanted({ id: 'service_status', quantity: 8 });
  const begun = await acp(base, '/checkout_sessions', eight);
  const path = `/checkout_sessions/${String(begun.body['id'])}`;
  const pay = () => acp(base, `${path}/complete`, byCard(card.processor.mint('succeeded')));
  const asked = await pay();
  assert.equal(asked.body['code'], 'confirmation_required', JSON.stringify(asked.body));
  const [page = ''] = /http\S+\/approvals\/[\w-]+/.exec(String(asked.body['message'])) ?? [];
  const html = await approve(page);
  assert.match(html, /8 × service_status \(.+\), 0\.25 USD each/);
  assert.match(html, /2\.00 USD/);

  // The same sum, for other things.
  await acp(base, path, wanted({ id: 'payments_quote', quantity: 4 }));
  const swapped = await pay();
  assert.equal(swapped.body['code'], 'confirmation_required', JSON.stringify(swapped.body));

  await acp(base, path, eight);
  const paid = await pay();
  assert.equal(paid.body['status'], 'completed', JSON.stringify(paid.body));
});
