import assert from 'node:assert/strict';
import test from 'node:test';
import { storeWith } from '#contract/house/store';
import type { CommerceTables } from '../../generated/surfaces/commerce/tables.ts';
import { runCli } from '../runtime/cli/run-cli.ts';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';
import { keys, usdc } from './chain.ts';
import { merchant, openShop, pay, payer, signedPayment } from './shop.ts';

test('the ledger agrees with the chain through payments and refunds, and says where it does not', async (t) => {
  const { base, chain, env, child } = await openShop(t);
  const before = await chain.balanceOf(payer.address);
  const payments = (...words: readonly string[]) => runCli(['payments', ...words], env);
  for (let times = 0; times < 3; times += 1) {
    const paid = await pay(base, '/api/v1', await signedPayment(base, '/api/v1'));
    assert.equal(paid.status, 200);
  }
  const listed = (await payments('list')).stdout.trim().split('\n');
  assert.equal(listed.length, 3);
  const [id = ''] = (listed[0] ?? '').split('  ');

  const agrees = await payments('reconcile');
  assert.equal(agrees.code, 0, agrees.stderr);
  assert.match(agrees.stdout, /^3 payments, 6 entries .*\n3 movements found where the money is\n/);
  assert.ok(agrees.stdout.includes(`${merchant.address} on eip155:84532: 0.03 USDC has come`));
  assert.match(agrees.stdout, /0.03 is there now/);

  assert.match((await payments('refund', id)).stdout, /is being given back/);
  while ((await chain.balanceOf(payer.address)) < before - 20_000n) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  while (!(await payments('show', id)).stdout.includes('refunded'));
  const after = await payments('reconcile');
  assert.match(after.stdout, /^3 payments, 8 entries .*\n4 movements found/);
  assert.match(after.stdout, /0.02 USDC has come and not gone back, 0.02 is there now/);
  const csv = (await payments('export')).stdout.split('\r\n');
  assert.match(
    String(csv[1]),
    new RegExp(`x402,eip155:84532,${usdc},USDC,.*,3,0.03,0.01,0.02,0,0`),
  );

  const healthy = await runCli(['doctor', 'payments'], env);
  assert.equal(healthy.code, 0, healthy.stdout);
  assert.match(healthy.stdout, /^ok +the node answers, eip155:84532$/m);
  assert.match(healthy.stdout, /^ok +the account 0x\S+ that pays the gas has \d+/m);

  // Somebody who can write to the store adds a payment that never was.
  child.kill('SIGKILL');
  const { service } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
  const { db } = storeWith<CommerceTables>(service.engines.store);
  await db
    .updateTable('ledger_transfer')
    .set({ reference: `0x${'0'.repeat(64)}` })
    .where('tenant', '=', 'default')
    .where('payment', '=', id)
    .where('debit', '=', 'funds')
    .execute();
  const again = service.commands['payments']?.(['reconcile'], {});
  assert.ok(again);
  await assert.rejects(again, new RegExp(`10000 of payment ${id} came with 0x0+, of which`));
});

test('doctor payments says what would keep money from coming in or going back', async (t) => {
  const { chain } = await openShop(t);
  const doctor = (env: Readonly<Record<string, string>>) => runCli(['doctor', 'payments'], env);
  const pays = { SERVICE_X402_PAY_TO: merchant.address, SERVICE_X402_RPC_URL: chain.url };
  const off = await doctor({});
  assert.equal(off.code, 0);
  assert.match(
    off.stdout,
    /payments on a chain: off; .*\n +-> to take money, set SERVICE_X402_PAY_TO/,
  );

  const other = await doctor({
    ...{ ...pays, SERVICE_X402_PRIVATE_KEY: keys.gas, SERVICE_X402_NETWORK: 'eip155:8453' },
  });
  assert.equal(other.code, 1);
  assert.match(other.stdout, /one of the chain 84532, and SERVICE_X402_NETWORK says eip155:8453/);

  const poor = await doctor({ ...pays, SERVICE_X402_PRIVATE_KEY: `0x${'7'.repeat(64)}` });
  assert.match(poor.stdout, /^problem +the account 0x\S+ that pays the gas has 0 ether$/m);
  assert.match(poor.stdout, /^advice +there is no key with which payments go back/m);

  const gone = { ...pays, SERVICE_X402_RPC_URL: 'http://user:secret@127.0.0.1:1/' };
  const silent = await doctor({ ...gone, SERVICE_X402_PRIVATE_KEY: keys.gas });
  assert.match(silent.stdout, /^problem +the node does not answer/m);
  assert.doesNotMatch(silent.stdout + silent.stderr, /secret/);
});
