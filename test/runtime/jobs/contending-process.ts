import { sql } from 'kysely';
import { createJobs } from '../../../runtime/jobs/index.ts';
import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';

/**
 * Runs one recurring job as often as it may, and prints a line for each run: `run`, or `overlap`
 * when somebody else runs it too. The witness is a lock of PostgreSQL, which knows nothing of jobs.
 */
const store = createStore(JSON.parse(process.argv[2] ?? '') as StoreOptions);
await store.open();
const jobs = createJobs(store, { log: { warn: () => {} }, leaseMs: 1000, pollMs: 5 });
jobs.define({
  name: 'work',
  scope: 'cluster',
  everyMs: 1,
  run: () =>
    store.db.connection().execute(async (db) => {
      const { rows } = await sql<{ got: boolean }>`
        select pg_try_advisory_lock(7) as got`.execute(db);
      process.stdout.write(rows[0]?.got ? 'run\n' : 'overlap\n');
      await sql`select pg_sleep(0.005)`.execute(db);
      if (rows[0]?.got) await sql`select pg_advisory_unlock(7)`.execute(db);
    }),
});
await jobs.start();
process.stdin.resume();
