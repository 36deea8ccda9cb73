import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import qs from 'qs';
import { createCardEvidence } from '../../../runtime/surfaces/commerce/card/card-evidence.ts';
import { CardProcessor } from '../../../runtime/surfaces/commerce/card/card-processor.ts';
import { createMeterReporter } from '../../../runtime/surfaces/commerce/meters/meter-reporter.ts';
import { Processor, secretKey } from '../processor/processor.ts';

/** The vendor's own description of its API, which refuses what it does not describe. */
async function described(t: TestContext): Promise<URL> {
  const program = process.env['STRIPE_MOCK'];
  assert.ok(program, 'STRIPE_MOCK names no program');
  // It would listen at a port of its choice with TLS too.
  const at = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
  const child = spawn(program, at, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  t.after(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  let text = '';
  // Read to its end: it writes of every request, and dies where nobody reads.
  child.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(text);
    if (found) resolve(new URL(`http://127.0.0.1:${found[1]}`));
  });
  child.once('exit', () => reject(new Error(`it has not started: ${text}`)));
  return promise;
}

const row = {
  ...{ tenant: 'default', id: 'claim', challenge: 'challenge', amount: '125', asset: 'usd' },
  ...{ transaction_hash: 'pi_123', created_at: 1_700_000_000_000 },
};

test('what is asked of the processor is in its description', async (t) => {
  const apiUrl = await described(t);
  const processor = new CardProcessor({ secretKey, apiUrl });
  assert.notEqual((await processor.look(row)).kind, 'not taken');
  assert.equal((await processor.look({ ...row, transaction_hash: '' })).kind, 'not taken');
  assert.match(await processor.refund(row), /^re_/);
  const charged = await processor.charged('pi_123');
  assert.equal(charged.claimId, undefined);
  let told = 0;
  for await (const { object } of processor.told(0)) {
    assert.equal(object, 'event');
    told += 1;
    if (told === 3) break;
  }
  assert.ok(told > 0);
  const { answers, isThere } = createCardEvidence({ secretKey, apiUrl });
  assert.equal(await answers(), 'yes');
  for (const reference of ['pi_123', 're_123', 'dp_123']) {
    assert.equal(typeof (await isThere({ ...row, reference })), 'boolean');
  }
});

test('what is told of a use is in its description', async (t) => {
  const report = createMeterReporter({ secretKey, apiUrl: await described(t) });
  const use = { id: 'a use', event: 'tool_calls', customer: 'cus_123', refusals: 0 };
  assert.deepEqual(await report({ ...use, created_at: Date.now() }), { kind: 'reported' });
});

test('what is asked of a charge is in its description, but for the token, which is a preview', async (t) => {
  const processor = await Processor.start();
  t.after(() => processor.stop());
  const real = new CardProcessor({ secretKey, apiUrl: new URL(processor.url) });
  const charge = await real.charge(row, processor.mint());
  assert.equal(charge.kind, 'settled');
  const [asked] = processor.asked;
  const { shared_payment_granted_token: token, ...order } = asked?.input ?? {};
  assert.match(String(token), /^spt_/);
  const answer = await fetch(new URL('/v1/payment_intents', await described(t)), {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams(qs.stringify(order)),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { object } = (await answer.json()) as { readonly object: string };
  assert.equal(object, 'payment_intent');
});
