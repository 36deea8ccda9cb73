import { openAuditLog } from '../../../runtime/audit/index.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { logOptions } from '../../runtime/audit/audit-note.ts';
import { auditedJobs, jobsDone } from '../audited-jobs.ts';
import { type Campaign, freshFolder } from '../engine.ts';
import { logProblems, readLog } from '../kept-log.ts';
import { Moments } from '../moments.ts';
import { type Figures, Tally } from '../tally.ts';
import { runAndKill } from '../victim.ts';

/** Kills while jobs are stored and run, each of which writes an entry. */
export async function auditedJobRuns(campaign: Campaign): Promise<Figures> {
  const { engine, random, rounds } = campaign;
  const tally = new Tally(engine.name, 'jobs with entries');
  const moments = new Moments(random, 6);
  const folder = freshFolder(campaign);
  const options = await engine.database();
  await (await openAuditLog(logOptions(folder))).close();
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const words = [JSON.stringify(options), folder, String(round)];
    const victim = await runAndKill('jobs', words, moments);
    tally.killed(victim);
    if (victim.began && round > 0) tally.count('restarts');
    for (const [, key = ''] of victim.marks) acknowledged.add(key);
    tally.verify(logProblems(folder));
  }
  const store = createStore(options);
  await store.open();
  const log = await openAuditLog(logOptions(folder));
  const jobs = auditedJobs(store, log);
  await jobs.start();
  await jobsDone(store);
  tally.count('restarts');
  await jobs.stop();
  await log.close();
  await store.close();
  compareRuns(tally, acknowledged, readLog(folder).runs);
  return tally.figures;
}

/** A job may run again after a kill; no run may leave two entries, and no job may leave none. */
function compareRuns(
  tally: Tally,
  acknowledged: ReadonlySet<string>,
  runs: readonly string[],
): void {
  const jobOf = (run: string) => run.slice(0, run.lastIndexOf(':'));
  const distinct = new Set(runs);
  const keys = [...new Set([...distinct].map(jobOf))];
  tally.compare(acknowledged, keys);
  tally.count('doubled', runs.length - distinct.size);
}
