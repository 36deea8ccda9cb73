import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createJobs } from '../../../runtime/jobs/index.ts';
import { JobTable } from '../../../runtime/jobs/job-table.ts';
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

test('a job with a limit of its own takes no places of the others, and keeps to its limit', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const jobs = createJobs(store, { ...silent, parallel: 1 });
  t.after(() => jobs.stop());
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  jobs.define({
    name: 'long',
    scope: 'cluster',
    parallel: 2,
    async run({ key }) {
      if (started.push(key) === 3) all.resolve();
      await gate.promise;
    },
  });
  let done = 0;
  jobs.define({
    name: 'short',
    scope: 'cluster',
    async run() {
      done += 1;
      if (done === 5) others.resolve();
    },
  });
  for (const key of ['1', '2', '3']) await jobs.enqueue({ name: 'long', tenant: 'a', key });
  for (let count = 0; count < 5; count++) await jobs.enqueue({ name: 'short', tenant: 'a' });
  await jobs.start();
  await others.promise;
  assert.deepEqual(started.toSorted(), ['1', '2']);
  gate.resolve();
  await all.promise;
});

test('a job that was stored with a transaction runs without waiting for the next look', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const jobs = createJobs(store, { ...silent, pollMs: 3_600_000 });
  t.after(() => jobs.stop());
  const ran = Promise.withResolvers<void>();
  jobs.define({ name: 'work', scope: 'cluster', run: async () => ran.resolve() });
  await jobs.start();
  await store.transaction((tx) => jobs.enqueue({ name: 'work', tenant: 'a' }, tx));
  jobs.wake();
  const alive = setInterval(() => {}, 1000);
  await ran.promise;
  clearInterval(alive);
});

test('SQLite: a clock that was set back an hour while the server was down holds up no job', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const later = sql<number>`(unixepoch() + 3600) * 1000`;
  const before = new JobTable(store, { now: later });
  for (const key of ['recurring', 'once']) {
    const name = key === 'once' ? 'once' : 'sweep';
    await before.add({ tenant: 'default', name, key, payload: null, delayMs: 0 }, undefined);
  }
  // The one was running when its process was killed, the other one was about to run.
  const killed = await before.claim(['once'], 'dead/1', 30_000);
  assert.ok(killed && killed.lease_until > Date.now() + 3_500_000);

  const ran = { sweep: Promise.withResolvers<void>(), once: Promise.withResolvers<void>() };
  const jobs = createJobs(store, silent);
  t.after(() => jobs.stop());
  const sweep = { name: 'sweep', scope: 'cluster', everyMs: 20 } as const;
  jobs.define({ ...sweep, run: async () => ran.sweep.resolve() });
  jobs.define({ name: 'once', scope: 'cluster', run: async () => ran.once.resolve() });
  const alive = setInterval(() => {}, 1000);
  await jobs.start();
  await Promise.all([ran.sweep.promise, ran.once.promise]);
  clearInterval(alive);
});
