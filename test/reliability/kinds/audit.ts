import { openAuditLog } from '../../../runtime/audit/index.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { logOptions } from '../../runtime/audit/audit-note.ts';
import { type Campaign, freshFolder } from '../engine.ts';
import { logProblems, readLog } from '../kept-log.ts';
import { Moments } from '../moments.ts';
import { type Figures, Tally } from '../tally.ts';
import { runAndKill, type Victim } from '../victim.ts';

/** Rounds that one log lives through; without a bound, its verification would take all the time. */
const roundsPerLog = 25;

type Look = (folder: string, victim: Victim) => readonly string[];

/** Kills while entries are appended. */
export function auditAppends(campaign: Campaign): Promise<Figures> {
  return growingLog(campaign, 'audit-appends', () => []);
}

/** Kills while checkpoints are signed and anchored. */
export function auditCheckpoints(campaign: Campaign): Promise<Figures> {
  return growingLog(campaign, 'audit-checkpoints', (folder, victim) => {
    const { checkpoints } = readLog(folder);
    return marked(victim, 'signed').filter((checkpoint) => !checkpoints.includes(checkpoint));
  });
}

async function growingLog(campaign: Campaign, kind: string, look: Look): Promise<Figures> {
  const tally = new Tally(campaign.engine.name, kind.replace('-', ' '));
  const moments = new Moments(campaign.random, 12);
  for (let round = 0; round < campaign.rounds; ) {
    const folder = freshFolder(campaign);
    await (await openAuditLog(logOptions(folder))).close();
    const acknowledged = new Set<string>();
    const first = round;
    const end = Math.min(first + roundsPerLog, campaign.rounds);
    for (; round < end; round++) {
      const victim = await runAndKill(kind, [folder, String(round)], moments);
      tally.killed(victim);
      if (victim.began && round > first) tally.count('restarts');
      for (const entry of marked(victim, 'acknowledged')) acknowledged.add(entry);
      tally.verify([...logProblems(folder), ...look(folder, victim)]);
    }
    tally.compare(acknowledged, readLog(folder).notes);
    await reopen(folder, tally);
  }
  return tally.figures;
}

/** Kills while the data directory, the store, the key and the log are made. */
export async function firstStart(campaign: Campaign): Promise<Figures> {
  const tally = new Tally(campaign.engine.name, 'first start');
  const moments = new Moments(campaign.random, 1);
  for (let round = 0; round < campaign.rounds; round++) {
    const folder = freshFolder(campaign);
    const victim = await runAndKill('first-start', [folder], moments);
    tally.killed(victim);
    const options = logOptions(folder, { key: undefined });
    const store = createStore({ dataDir: options.directory });
    const log = await openAuditLog(options);
    const { state, reason } = log.status();
    if (state === 'open') tally.count('restarts');
    else tally.problem(`round ${round}: the log is ${state}: ${reason}`);
    await store.open();
    await store.close();
    await log.close();
    tally.compare(new Set(marked(victim, 'acknowledged')), [log.vkey]);
    const { actions } = readLog(folder);
    const opened = actions.filter((action) => action === 'AUDIT_LOG_OPENED').length;
    tally.verify([...logProblems(folder, log.vkey), ...(opened === 1 ? [] : actions)]);
  }
  return tally.figures;
}

/** The last process of a log was killed too: open it once more. */
async function reopen(folder: string, tally: Tally): Promise<void> {
  const log = await openAuditLog(logOptions(folder));
  const { state, reason } = log.status();
  await log.close();
  if (state === 'open') tally.count('restarts');
  else tally.problem(`the log is ${state}: ${reason}`);
}

function marked(victim: Victim, kind: string): string[] {
  return victim.marks.flatMap(([name, what = '']) => (name === kind ? [what] : []));
}
