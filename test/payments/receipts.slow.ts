import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../runtime/cli/run-cli.ts';
import { serve } from '../runtime/cli/served.ts';
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
    /^receipt +\S+: 10000 smallest units of 0x036C\S+ on eip155:84532 from 0x\S+ for GET \/api\/v1$/m,
  );
  assert.match(good.stdout, /^verified +that the money of 1 receipt has arrived$/m);
  // What became of it since, the entry does not say.
  const refunded = await verify({ ...receipt, state: 'refunded', returned: '0x1' }, vkey);
  assert.equal(refunded.code, 3, 'it is no receipt of money that is here');
  assert.match(refunded.stdout, /^returned +it was given back, as the receipt says$/m);
  assert.match(refunded.stdout, /^but +that of 1 receipt is, or will be, here no more$/m);
  const due = await verify({ receipts: [receipt, { ...receipt, state: 'refund_due' }] }, vkey);
  assert.equal(due.code, 3);
  assert.match(due.stdout, /^verified +that the money of 2 receipts has arrived$/m);
  assert.equal((await verify({ ...receipt, amount: '1', state: 'refunded' }, vkey)).code, 1);
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

test('with the log at hand, an old receipt says what became of its money since', async (t) => {
  const { base, url, env, dataDir, child } = await openShop(t);
  const exported = async (name: string) => {
    const folder = join(dataDir, name);
    const done = await runCli(['audit', 'export', folder], env);
    assert.equal(done.code, 0, done.stderr);
    return folder;
  };
  const buy = async () => pay(base, '/api/v1', await signedPayment(base, '/api/v1'));
  assert.equal((await buy()).status, 200);
  const early = await exported('early');
  assert.equal((await buy()).status, 200);
  const { structuredContent } = await call(url, 'payments_receipts');
  const receipts = structuredContent['receipts'] as readonly Json[];
  const file = (name: string, value: unknown) => {
    writeFileSync(join(dataDir, name), JSON.stringify(value));
    return join(dataDir, name);
  };
  const [kept, gone] = receipts.map((receipt, at) => file(`receipt-${at}.json`, receipt));
  const all = file('all.json', structuredContent);
  const { stdout: vkeys } = await runCli(['audit', 'vkey'], env);
  const verify = async (...words: readonly (string | undefined)[]) =>
    runCli(['audit', 'verify-receipt', ...words.map(String)]);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const before = await exported('before');
  assert.equal((await verify(all, vkeys.trim(), before)).code, 0);

  const again = await serve(t, env);
  await runCli(['payments', 'refund', String(receipts[1]?.['id'])], env);
  for (;;) {
    const told = await call(again.url, 'payments_receipts', { id: receipts[1]?.['id'] });
    const [now] = told.structuredContent['receipts'] as readonly Json[];
    if (now?.['state'] === 'refunded') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  again.child.kill('SIGTERM');
  await once(again.child, 'exit');
  const log = await exported('after');
  assert.equal((await verify(kept, vkeys.trim(), log)).code, 0);
  assert.equal((await verify(gone, vkeys.trim())).code, 0, 'alone it cannot know');
  const found = await verify(gone, vkeys.trim(), log);
  assert.equal(found.code, 3, found.stdout + found.stderr);
  assert.match(found.stdout, /^returned +it was given back, as entry \d+ of the log says$/m);

  const older = await verify(kept, vkeys.trim(), early);
  assert.equal(older.code, 1);
  assert.match(older.stdout, /^issue +the log does not hold its entry/m);
  // A log that is another one, or of which something is missing, says nothing.
  const other = await verify(kept, vkeys.trim(), dataDir);
  assert.notEqual(other.code, 0);
  assert.match(other.stderr, /the log is not verified/);
  assert.equal((await verify(kept, vkeys.trim(), join(dataDir, 'nowhere'))).code, 2);
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
