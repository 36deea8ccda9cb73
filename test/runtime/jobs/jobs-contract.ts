import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobRun } from '#contract/house/jobs';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { createJobs, type JobsOptions, type OwnedJobs } from '../../../runtime/jobs/index.ts';
import type { MakeDatabase } from '../store/replicas.ts';

export const silent: JobsOptions = { log: { warn: () => {} }, pollMs: 10 };

/** Background work for the time of one test. */
function jobsOver(
  t: TestContext,
  store: Store<Tables>,
  options: Partial<JobsOptions> = {},
): OwnedJobs {
  const jobs = createJobs(store, { ...silent, ...options });
  t.after(() => jobs.stop());
  return jobs;
}

/** Wait until no job waits or runs. */
export async function idle({ db }: Store<Tables>): Promise<void> {
  const left = () => db.selectFrom('job').select('key').where('state', '!=', 'failed').execute();
  while ((await left()).length > 0) await sleep(5);
}

/** What holds for jobs in every database. */
export function jobsContract(name: string, make: MakeDatabase): void {
  test(`${name}: two replicas run each job once, and never one at the same time`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    const running = new Set<string>();
    const done: string[] = [];
    const replicas = stores.map((store) => jobsOver(t, store, { parallel: 4 }));
    for (const jobs of replicas) {
      jobs.define({
        name: 'work',
        scope: 'cluster',
        async run({ key, attempt, tenant, payload }) {
          assert.ok(!running.has(key), `${key} runs twice`);
          running.add(key);
          assert.deepEqual(
            { attempt, tenant, payload },
            { attempt: 1, tenant: 'a', payload: { key } },
          );
          await sleep(1);
          running.delete(key);
          done.push(key);
        },
      });
    }
    const keys = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(2, '0'));
    const [jobs] = replicas;
    for (const key of keys) {
      await jobs?.enqueue({ name: 'work', tenant: 'a', key, payload: { key } });
    }
    await Promise.all(replicas.map((each) => each.start()));
    await idle(stores[0] as Store<Tables>);
    assert.deepEqual(done.toSorted(), keys);
  });

  test(`${name}: a job of a transaction that is undone never runs`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const jobs = jobsOver(t, store);
    const ran: string[] = [];
    jobs.define({ name: 'work', scope: 'cluster', run: async ({ key }) => void ran.push(key) });
    const undone = store.transaction(async (tx) => {
      await jobs.enqueue({ name: 'work', tenant: 'a', key: 'undone' }, tx);
      throw new Error('changed my mind');
    });
    await assert.rejects(undone, /changed my mind/);
    await store.transaction((tx) => jobs.enqueue({ name: 'work', tenant: 'a', key: 'kept' }, tx));
    await jobs.start();
    await idle(store);
    assert.deepEqual(ran, ['kept']);
  });

  test(`${name}: the same key is the same job, in each tenant`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const jobs = jobsOver(t, store);
    const ran: unknown[] = [];
    jobs.define({
      name: 'work',
      scope: 'cluster',
      run: async ({ tenant, payload }) => void ran.push([tenant, payload]),
    });
    await jobs.enqueue({ name: 'work', tenant: 'a', key: 'k', payload: 1 });
    await jobs.enqueue({ name: 'work', tenant: 'a', key: 'k', payload: 2 });
    await jobs.enqueue({ name: 'work', tenant: 'b', key: 'k', payload: 3 });
    await assert.rejects(jobs.enqueue({ name: 'wrok', tenant: 'a' }), /no job is called wrok/);
    await jobs.start();
    await idle(store);
    assert.deepEqual(ran.toSorted(), [
      ['a', 1],
      ['b', 3],
    ]);
  });

  test(`${name}: a job that fails too often stays as failed, with its last error`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const jobs = jobsOver(t, store);
    const attempts: number[] = [];
    jobs.define({
      name: 'work',
      scope: 'cluster',
      maxAttempts: 1,
      async run({ attempt }) {
        attempts.push(attempt);
        throw new Error('no luck');
      },
    });
    await jobs.enqueue({ name: 'work', tenant: 'a', key: 'k' });
    await jobs.start();
    await idle(store);
    const [row] = await store.db.selectFrom('job').selectAll().execute();
    assert.equal(row?.state, 'failed');
    assert.equal(row.last_error, 'no luck');
    // Asking for it again starts anew.
    await jobs.enqueue({ name: 'work', tenant: 'a', key: 'k' });
    await idle(store);
    assert.deepEqual(attempts, [1, 1]);
  });

  test(`${name}: a job whose runner is silent is taken over, and the first run can write no more`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    assert.ok(stores[0] && stores[1]);
    // The first one soon hears that it has lost its lease, the second one cannot lose its own.
    const first = jobsOver(t, stores[0], { leaseMs: 150, parallel: 1 });
    const second = jobsOver(t, stores[1], { parallel: 1 });
    const lost = Promise.withResolvers<JobRun>();
    const over = Promise.withResolvers<JobRun>();
    const end = Promise.withResolvers<void>();
    first.define({
      name: 'work',
      scope: 'cluster',
      async run(job) {
        // Its server stands still: the lease is not renewed.
        await stores[0]?.db.updateTable('job').set({ lease_until: 0 }).execute();
        lost.resolve(job);
        await second.start();
        second.wake();
        await end.promise;
      },
    });
    second.define({
      name: 'work',
      scope: 'cluster',
      async run(job) {
        over.resolve(job);
        await end.promise;
      },
    });
    await first.enqueue({ name: 'work', tenant: 'a', key: 'k' });
    await first.start();
    const [old, current] = await Promise.all([lost.promise, over.promise]);
    assert.ok(current.token > old.token);
    assert.equal(current.attempt, 2);
    await assert.rejects(stores[0].transaction(old.fence), { code: 'lease_lost' });
    await stores[0].transaction(current.fence);
    if (!old.signal.aborted) {
      await new Promise((resolve) => old.signal.addEventListener('abort', resolve));
    }
    assert.equal(current.signal.aborted, false);
    end.resolve();
    await idle(stores[0]);
  });

  test(`${name}: a job that runs when the server stops is left to the next one`, async (t) => {
    const [store] = await (await make(t)).replicas(1);
    assert.ok(store);
    const started = Promise.withResolvers<void>();
    const first = jobsOver(t, store);
    first.define({
      name: 'work',
      scope: 'cluster',
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          started.resolve();
        }),
    });
    await first.enqueue({ name: 'work', tenant: 'a', key: 'k' });
    await first.start();
    await started.promise;
    await first.stop();
    const attempts: number[] = [];
    const second = jobsOver(t, store);
    second.define({
      name: 'work',
      scope: 'cluster',
      run: async ({ attempt }) => void attempts.push(attempt),
    });
    await second.start();
    await idle(store);
    assert.deepEqual(attempts, [1]);
  });

  test(`${name}: a recurring job runs again, one replica at a time, whether it fails or not`, async (t) => {
    const stores = await (await make(t)).replicas(2);
    const enough = Promise.withResolvers<void>();
    let running = 0;
    let runs = 0;
    const replicas = stores.map((store) => jobsOver(t, store));
    for (const jobs of replicas) {
      jobs.define({
        name: 'sweep',
        scope: 'cluster',
        everyMs: 1,
        maxAttempts: 1,
        async run() {
          running += 1;
          if (running > 1) enough.reject(new Error('two at a time'));
          await sleep(1);
          running -= 1;
          runs += 1;
          if (runs === 10) enough.resolve();
          if (runs % 2 === 0) throw new Error('no luck');
        },
      });
    }
    await Promise.all(replicas.map((jobs) => jobs.start()));
    await enough.promise;
  });
}
