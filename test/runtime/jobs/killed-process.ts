import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JobRun } from '#contract/house/jobs';
import { createJobs } from '../../../runtime/jobs/index.ts';
import type { StoreOptions } from '../../../runtime/store/index.ts';
import { openStore } from '../store/replicas.ts';
import { idle, silent } from './jobs-contract.ts';

const script = fileURLToPath(new URL('job-process.ts', import.meta.url));

/** Let a process start a job, kill it with SIGKILL, and let this process run the job to its end. */
export async function killAndTakeOver(t: TestContext, options: StoreOptions): Promise<void> {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [text] = await once(child.stdout, 'data');
  const before = JSON.parse(String(text)) as JobRun;
  child.kill('SIGKILL');
  await once(child, 'exit');

  const store = await openStore(t, options);
  const jobs = createJobs(store, silent);
  t.after(() => jobs.stop());
  const run = Promise.withResolvers<JobRun>();
  jobs.define({ name: 'work', scope: 'cluster', run: async (job) => run.resolve(job) });
  await jobs.start();
  const after = await run.promise;
  assert.ok(after.token > before.token);
  // On a slow machine the first process may have lost its lease before, and begun again.
  assert.ok(after.attempt > before.attempt);
  assert.deepEqual(after.payload, { from: 'the first process' });
  await idle(store);
}
