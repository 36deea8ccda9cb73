import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../runtime/store/postgres-server.ts';
import type { Campaign } from '../engine.ts';
import { Moments } from '../moments.ts';
import { makeNotes, readNotes } from '../notes.ts';
import { type Figures, Tally } from '../tally.ts';
import { Victim } from '../victim.ts';
import { withStore } from '../with-store.ts';

/** Kills the database server, while our process lives on or together with it. */
export async function databaseKilled(
  { engine, random, rounds }: Campaign,
  server: PostgresServer,
  together: boolean,
): Promise<Figures> {
  const kind = together ? 'database and server' : 'database alone';
  const tally = new Tally(engine.name, kind);
  const moments = new Moments(random, 12);
  const options = await engine.database();
  await withStore(options, makeNotes);
  const acknowledged = new Set<string>();
  let victim: Victim | undefined;
  for (let round = 0; round < rounds; round++) {
    victim ??= new Victim('transactions', [JSON.stringify(options), String(round)], moments);
    // A process that starts without a database ends; whoever started it tries again.
    await victim.reach(together ? moments.fromStart() : moments.running());
    tally.killed(victim);
    await Promise.all([
      together ? victim.kill() : undefined,
      random() < 0.5 ? server.crash() : server.kill(),
    ]);
    await sleep(random() * 200);
    await server.run();
    if (!together) await victim.hearNext('acknowledged');
    tally.count('restarts');
    if (together || round === rounds - 1) {
      if (!together) await victim.kill();
      take(victim, acknowledged, tally);
      victim = undefined;
    }
    tally.verify((await withStore(options, readNotes)).problems);
  }
  tally.compare(acknowledged, (await withStore(options, readNotes)).ids);
  return tally.figures;
}

/** A transaction that the database did not do is a 503, and nothing else. */
function take(victim: Victim, acknowledged: Set<string>, tally: Tally): void {
  for (const [kind, what = ''] of victim.marks) {
    if (kind === 'acknowledged') acknowledged.add(what);
    else if (kind === 'failed') tally.problem(`expected a 503, found ${what}`);
  }
}
