import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../runtime/cli/run-cli.ts';
import { modern } from '../runtime/mcp/rpc.ts';
import { Browser } from '../surfaces/identity/browser.ts';
import { openShop, pay, signedFor, signedPayment, unwrapped } from './shop.ts';

type Json = Readonly<Record<string, unknown>>;

async function call(url: URL, name: string, args: Json = {}, meta: Json = {}) {
  const params = { name, arguments: args, _meta: meta };
  const { body } = await modern(url, { method: 'tools/call', params, _meta: meta });
  return body.result as unknown as Json & { readonly structuredContent: Json };
}

test('a receipt proves itself with a key of the log alone, and nothing else under its name does', async (t) => {
  const { base, url, env, dataDir } = await openShop(t);
  assert.equal((await pay(base, '/api/v1', await signedPayment(base, '/api/v1'))).status, 200);
  const { structuredContent } = await call(url, 'payments_receipts');
  const [receipt] = structuredContent['receipts'] as readonly Json[];
  assert.equal(receipt?.['state'], 'delivered');
  assert.ok(receipt['proof'], JSON.stringify(receipt));

  let written = 0;
  const verify = async (value: unknown, ...key: readonly string[]) => {
    written += 1;
    const file = join(dataDir, `receipt-${written}.json`);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    // Away from the server and its data.
    return runCli(['audit', 'verify-receipt', file, ...key]);
  };
  const { stdout: vkeys } = await runCli(['audit', 'vkey'], env);
  const vkey = vkeys.trim();
  const good = await verify(structuredContent, vkey);
  assert.equal(good.code, 0, good.stdout + good.stderr);
  assert.match(
    good.stdout,
    /^receipt +\S+: 10000 of 0x036C\S+ on eip155:84532 from 0x\S+ for GET \/api\/v1$/m,
  );
  assert.match(good.stdout, /^verified +that the money of 1 receipt has arrived$/m);
  // What became of it since, the entry does not say.
  const refunded = await verify({ ...receipt, state: 'refunded', returned: '0x1' }, vkey);
  assert.match(refunded.stdout, /^not proven +state: "refunded"$/m);
  assert.match(refunded.stdout, /^not proven +returned: "0x1"$/m);
  assert.match(refunded.stdout, /^not proven +claimed_at: /m);
  const alone = await verify({ result: { structuredContent } });
  assert.equal(alone.code, 0);
  assert.match(alone.stdout, /^key +that of the receipt: compare it with/m);

  const proof = receipt['proof'] as Readonly<Record<string, string>>;
  const entry = proof['entry'] ?? '';
  const forged: readonly (readonly [unknown, RegExp])[] = [
    [{ ...receipt, amount: '1' }, /its amount is not what the entry says: 10000/],
    [{ ...receipt, payer: `0x${'0'.repeat(40)}` }, /its payer is not what the entry says/],
    [{ ...receipt, transaction: '0x00' }, /its transaction is not/],
    [{ ...receipt, id: 'another' }, /its id is not/],
    [{ ...receipt, charged: '1' }, /its charged is not/],
    [{ ...receipt, proof: { ...proof, log: 'other.example/audit' } }, /its log is not/],
    [{ ...receipt, proof: { ...proof, vkey: `${vkey}A` } }, /its vkey is not the key/],
    [{ ...receipt, proof: { ...proof, entry: entry.replace('10000', '99999') } }, /root_mismatch/],
    [
      { ...receipt, proof: { ...proof, inclusion: proof['inclusion']?.replace(/.(?=\n$)/, 'A') } },
      /bad_signature|unreadable/,
    ],
    [{ ...receipt, proof: undefined }, /it holds no proof: the money had not arrived/],
  ];
  for (const [value, message] of forged) {
    const { code, stdout } = await verify(value, vkey);
    assert.equal(code, 1, stdout);
    assert.match(stdout, message);
    assert.match(stdout, /^NOT verified$/m);
  }
  const other = 'example.com/audit+00000000+ARJ9';
  for (const [value, key] of [
    ['no JSON', vkey],
    [{ receipts: [] }, vkey],
    [structuredContent, other],
  ] as const) {
    assert.equal((await verify(value, key)).code, 2);
  }
});

test('above a limit, nothing of a payment is used before a person has agreed', async (t) => {
  const { base, url, chain } = await openShop(t, {
    policy: `prices:
  tool:service_status: { amount: '2', currency: USD }
approve_above: { amount: '1', currency: USD }
`,
  });
  const unpaid = await call(url, 'service_status');
  const terms = (unpaid['_meta'] as Json)['x402/error'] as { accepts: readonly Json[] };
  const payment = unwrapped(await signedFor(terms.accepts[0]));
  const meta = { 'x402/payment': payment };
  const merchant = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  const first = await call(url, 'service_status', {}, meta);
  assert.equal(first['isError'], true);
  const text = JSON.stringify(first);
  const page = /http[^"\\ ]+\/approvals\/[\w-]+/.exec(text)?.[0] ?? '';
  assert.ok(page, text);
  assert.equal(await chain.balanceOf(merchant), 0n, 'nothing has moved');
  const again = await call(url, 'service_status', {}, meta);
  assert.equal(again['isError'], true, 'it waits still');

  const person = new Browser(base);
  await person.open(page);
  const decided = await person.send(new URL(page).pathname, { decision: 'approved' });
  assert.match(decided.text, /Approved/);
  const done = await call(url, 'service_status', {}, meta);
  assert.notEqual(done['isError'], true, JSON.stringify(done));
  assert.ok((done['_meta'] as Json)['x402/payment-response']);
});
