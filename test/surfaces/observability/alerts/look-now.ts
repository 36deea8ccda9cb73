import { setTimeout as sleep } from 'node:timers/promises';
import type { Tables } from '../../../../generated/tables.ts';
import { storeWith } from '../../../../runtime/contract/house/store.ts';
import type { Service } from '../../../../runtime/main.ts';

const job = { name: 'observability-alerts', state: 'waiting' } as const;

/** Have the server look at its alerts now, and wait until it has. */
export async function lookNow({ engines: { store, jobs } }: Service): Promise<void> {
  const { db } = storeWith<Tables>(store);
  const isIdle = async () =>
    db
      .selectFrom('job')
      .select('run_at')
      .where((where) => where.and(job))
      .where('run_at', '>', 1)
      .executeTakeFirst();
  while ((await isIdle()) === undefined) await sleep(10);
  await db
    .updateTable('job')
    .set({ run_at: 1 })
    .where((where) => where.and(job))
    .execute();
  jobs.wake();
  while ((await isIdle()) === undefined) await sleep(10);
}
