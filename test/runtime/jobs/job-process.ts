import { createJobs } from '../../../runtime/jobs/index.ts';
import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';

/** Starts a job that never ends, says so, and waits to be killed. */
const store = createStore(JSON.parse(process.argv[2] ?? '') as StoreOptions);
await store.open();
const jobs = createJobs(store, { log: { warn: () => {} }, leaseMs: 300, pollMs: 10 });
jobs.define({
  name: 'work',
  scope: 'cluster',
  run({ token, attempt }) {
    process.stdout.write(JSON.stringify({ token, attempt }));
    return new Promise(() => {});
  },
});
const payload = { from: 'the first process' };
await jobs.enqueue({ name: 'work', tenant: 'a', key: 'k', payload });
await jobs.start();
process.stdin.resume();
