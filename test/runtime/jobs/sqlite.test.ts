import assert from 'node:assert/strict';
import test from 'node:test';
import { createJobs } from '../../../runtime/jobs/index.ts';
import { openStore, sqliteDatabase } from '../store/replicas.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { jobsContract, silent } from './jobs-contract.ts';
import { killAndTakeOver } from './killed-process.ts';

jobsContract('SQLite', sqliteDatabase);

test('SQLite: the job of a killed process is run by the next one', async (t) => {
  await killAndTakeOver(t, { dataDir: temporaryDirectory(t) });
});

test('a process job runs in every replica, again and again, until the server stops', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const replicas = [createJobs(store, silent), createJobs(store, silent)];
  const counts = [0, 0];
  const enough = Promise.withResolvers<void>();
  for (const [index, jobs] of replicas.entries()) {
    jobs.define({
      name: 'flush',
      scope: 'process',
      everyMs: 1,
      async run() {
        counts[index] = (counts[index] ?? 0) + 1;
        if (counts.every((count) => count >= 3)) enough.resolve();
        throw new Error('does not matter');
      },
    });
  }
  const alive = setInterval(() => {}, 1000);
  await Promise.all(replicas.map((jobs) => jobs.start()));
  await enough.promise;
  clearInterval(alive);
  await Promise.all(replicas.map((jobs) => jobs.stop()));
  assert.deepEqual(await store.db.selectFrom('job').selectAll().execute(), []);
});
