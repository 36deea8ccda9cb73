import { openAuditLog } from '../../../runtime/audit/index.ts';
import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';
import { logOptions } from '../../runtime/audit/audit-note.ts';
import { auditedJobs, enqueueJobs, jobsDone } from '../audited-jobs.ts';
import { mark, section } from '../marks.ts';

/** Stores jobs in groups and does them until it is killed; each notes itself in the audit log. */
const [options = '', folder = '', round = ''] = process.argv.slice(2);
const store = createStore(JSON.parse(options) as StoreOptions);
await store.open();
const log = await openAuditLog(logOptions(folder));
const jobs = auditedJobs(store, log);
await jobs.start();
for (let group = 0; ; group++) {
  await section(async () => {
    const keys = await enqueueJobs(store, jobs, `${round}/${group}`);
    for (const key of keys) mark('acknowledged', key);
    await jobsDone(store);
  });
}
