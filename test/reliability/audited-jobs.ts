import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLog } from '#contract/house/audit';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../generated/tables.ts';
import { createJobs, type OwnedJobs } from '../../runtime/jobs/index.ts';
import { note } from '../runtime/audit/audit-note.ts';

/** Jobs whose every run writes an entry, which names the job and the run. */
export function auditedJobs(store: Store<Tables>, log: AuditLog): OwnedJobs {
  const jobs = createJobs(store, { log: { warn: () => {} }, leaseMs: 250, pollMs: 5 });
  jobs.define({
    name: 'audited',
    scope: 'cluster',
    maxAttempts: 1000,
    async run({ key, token }) {
      await log.append(note(0, { subject: key, correlation_id: String(token) }));
    },
  });
  return jobs;
}

/** Store a group of jobs in one transaction. */
export async function enqueueJobs(
  store: Store<Tables>,
  jobs: OwnedJobs,
  group: string,
): Promise<readonly string[]> {
  const keys = Array.from({ length: 5 }, (_, index) => `${group}/${index}`);
  await store.transaction(async (tx) => {
    for (const key of keys) await jobs.enqueue({ name: 'audited', tenant: 'a', key }, tx);
  });
  return keys;
}

/** Wait until every job is done. */
export async function jobsDone({ db }: Store<Tables>): Promise<void> {
  const left = () => db.selectFrom('job').select('key').limit(1).execute();
  while ((await left()).length > 0) await sleep(2);
}
