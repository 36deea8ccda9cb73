import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { serve } from '../runtime/cli/served.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { merchant, openShop, pay, signedPayment, unwrapped, wrapped } from './shop.ts';

test('the same payment at two replicas buys one thing once', async (t) => {
  const postgres = await PostgresServer.start();
  try {
    const shared = {
      SERVICE_DATABASE_URL: await postgres.createDatabase(),
      SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
      SERVICE_AUDIT_KEY: randomBytes(32).toString('base64'),
    };
    await t.test('which share a database', async (inner) => {
      const { base, chain, env } = await openShop(inner, { env: shared });
      const other = await serve(inner, { ...env, SERVICE_DATA_DIR: temporaryDirectory(inner) });
      const bases = [base, other.url.origin];
      const payments = await Promise.all(
        Array.from({ length: 10 }, () => signedPayment(base, '/api/v1')),
      );
      for (const payment of payments) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, at) => pay(bases[at % 2] ?? base, '/api/v1', payment)),
        );
        const statuses = answers.map(({ status }) => status).toSorted();
        assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
      }
      assert.equal(await chain.balanceOf(merchant.address), 100_000n);
      // With a name, all of them get the answer that one of them has paid for, wherever that was.
      const info = { required: false, id: 'replica_0123456789' };
      const extensions = { 'payment-identifier': { info } };
      const named = wrapped({ ...unwrapped(await signedPayment(base, '/api/v1')), extensions });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => pay(bases[at % 2] ?? base, '/api/v1', named)),
      );
      // A signature of ECDSA is another one each time.
      const transactions = answers.map(
        ({ headers }) => unwrapped(headers.get('payment-response'))['transaction'],
      );
      assert.equal(new Set(transactions).size, 1, 'one transaction');
      assert.match(String(transactions[0]), /^0x[0-9a-f]{64}$/);
      for (const { status } of answers) assert.equal(status, 200);
      assert.equal(await chain.balanceOf(merchant.address), 110_000n);
    });
  } finally {
    await postgres.stop();
  }
});
