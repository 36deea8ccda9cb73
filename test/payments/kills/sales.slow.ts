import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { PostgresServer } from '../../runtime/store/postgres-server.ts';
import { Chain } from '../chain.ts';
import { sleep } from './campaign.ts';
import { fightSales } from './sales.ts';

/** How often something is killed, on each of the two stores. */
const kills = Number(process.env['PAYMENT_KILLS'] ?? 10);

test(`${kills} kills while sessions are sold: each is an order once it is asked for again`, async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const sold = { chain, kills, env: {}, isRetried: true };
  await fightSales(t, { ...sold, strike: async () => {} });
});

test(`${kills} kills of the server, the chain and PostgreSQL while sessions are sold`, async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const postgres = await PostgresServer.start({ durable: true });
  const blows: readonly (() => Promise<unknown>)[] = [
    async () => {},
    () => chain.crash(() => sleep(Math.random() * 300)),
    async () => {
      await postgres.crash();
      await postgres.run();
    },
  ];
  try {
    await t.test('which are all back at the end', async (inner) => {
      await fightSales(inner, {
        ...{ chain, kills },
        env: {
          SERVICE_DATABASE_URL: await postgres.createDatabase(),
          SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
          SERVICE_AUDIT_KEY: randomBytes(32).toString('base64'),
        },
        strike: async (kill) => blows[kill % blows.length]?.(),
      });
    });
  } finally {
    await postgres.stop();
  }
});
