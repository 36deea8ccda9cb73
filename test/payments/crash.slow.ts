import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { mock } from 'node:test';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';
import { Chain } from './chain.ts';
import { merchant, openShop, pay, payer, signedPayment, unwrapped } from './shop.ts';

/** Later than a settlement may take: the server then asks the chain what became of it. */
const laterMs = 180_000;

test('what a killed server had sent is found on the chain, and the money goes back', async (t) => {
  const chain = await Chain.start({ minesAlone: false });
  t.after(() => chain.stop());
  const { base, child, env } = await openShop(t, { chain });
  const before = await chain.balanceOf(payer.address);

  const payment = await signedPayment(base, '/api/v1');
  const lost = assert.rejects(pay(base, '/api/v1', payment));
  while ((await chain.waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await lost;
  await chain.mineAlways();
  while ((await chain.balanceOf(merchant.address)) === 0n) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  // The data of the dead server, some minutes later.
  const now = Date.now;
  mock.method(Date, 'now', () => now() + laterMs);
  t.after(() => mock.restoreAll());
  const { base: again } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
  const repeated = await pay(again, '/api/v1', payment);
  assert.equal(repeated.status, 409, 'the same payment buys nothing more');
  while ((await chain.balanceOf(payer.address)) < before) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(await chain.balanceOf(payer.address), before);
  assert.equal(await chain.balanceOf(merchant.address), 0n);
  const report = await fetch(`${again}/audit/checkpoint`);
  assert.equal(report.status, 200);
});

test('a server that is told to stop while money moves says so, and not that nothing was done', async (t) => {
  const chain = await Chain.start({ minesAlone: false });
  t.after(() => chain.stop());
  const env = { SERVICE_SHUTDOWN_TIMEOUT: '1s' };
  const { base, child } = await openShop(t, { chain, env });
  const payment = await signedPayment(base, '/api/v1');
  const paying = pay(base, '/api/v1', payment);
  while ((await chain.waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  const answer = await paying;
  assert.equal(answer.status, 409);
  assert.equal(((await answer.json()) as { code: string }).code, 'settlement_pending');
  assert.ok(answer.headers.get('retry-after'));
});

test('an authorization that somebody else sends first has paid for the call', async (t) => {
  const chain = await Chain.start({ minesAlone: false });
  t.after(() => chain.stop());
  const { base } = await openShop(t, { chain });
  const payment = await signedPayment(base, '/api/v1');
  const { payload } = unwrapped(payment) as {
    payload: { signature: `0x${string}`; authorization: Record<string, string> };
  };
  const paying = pay(base, '/api/v1', payment);
  while ((await chain.waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  // Whoever sees it among what waits copies it, and pays more for its gas.
  await chain.frontRun(payload);
  const answer = await paying;
  assert.equal(answer.status, 200, await answer.text());
  assert.equal(await chain.balanceOf(merchant.address), 10_000n);
});
