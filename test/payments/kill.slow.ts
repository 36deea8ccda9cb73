import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { PostgresServer } from '../runtime/store/postgres-server.ts';
import { Chain } from './chain.ts';
import { fight, sleep, type Target } from './kills/campaign.ts';
import { TornLine } from './torn-line.ts';

/** How often something is killed, on each of the two stores. */
const kills = Number(process.env['PAYMENT_KILLS'] ?? 10);

test(`${kills} kills of the server, and of its line to the chain: chain, claims, ledger and audit log say the same`, async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const line = await TornLine.to(chain.url);
  t.after(() => line.close());
  await fight(t, {
    ...{ chain, kills, env: { SERVICE_X402_RPC_URL: line.url } },
    async strike({ asked, killServer }, kill) {
      if (kill % 3 === 2) {
        line.cut();
        await sleep(Math.random() * 300);
        line.mend();
        // What nobody can say yet is told as soon as the node answers again.
        await Promise.race([asked, sleep(500)]);
      }
      await killServer();
    },
  });
});

test(`${kills} kills of the server, the chain and PostgreSQL: all of them say the same`, async (t) => {
  const chain = await Chain.start();
  t.after(() => chain.stop());
  const postgres = await PostgresServer.start({ durable: true });
  const blows: readonly ((target: Target) => Promise<unknown>)[] = [
    ({ killServer }) => killServer(),
    () => chain.crash(() => sleep(Math.random() * 300)),
    async () => {
      await postgres.crash();
      await sleep(Math.random() * 300);
      await postgres.run();
    },
    // Two of them at once.
    ({ killServer }) => Promise.all([killServer(), chain.crash()]),
    async ({ killServer }) => {
      await Promise.all([killServer(), postgres.crash()]);
      await postgres.run();
    },
  ];
  try {
    await t.test('which are all back at the end', async (inner) => {
      await fight(inner, {
        ...{ chain, kills },
        env: {
          SERVICE_DATABASE_URL: await postgres.createDatabase(),
          SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
          SERVICE_AUDIT_KEY: randomBytes(32).toString('base64'),
        },
        async strike(target, kill) {
          await blows[kill % blows.length]?.(target);
          await Promise.race([target.asked, sleep(500)]);
        },
      });
    });
  } finally {
    await postgres.stop();
  }
});
