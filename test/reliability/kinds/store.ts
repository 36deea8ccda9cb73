import type { Campaign } from '../engine.ts';
import { ledgerMigrations, ledgerProblems } from '../ledger.ts';
import { Moments } from '../moments.ts';
import { makeNotes, readNotes } from '../notes.ts';
import { type Figures, Tally } from '../tally.ts';
import { runAndKill } from '../victim.ts';
import { withStore } from '../with-store.ts';

/** Kills while transactions run. */
export async function transactions(campaign: Campaign): Promise<Figures> {
  const { engine, random, rounds } = campaign;
  const tally = new Tally(engine.name, 'transactions');
  const moments = new Moments(random, 12);
  const options = await engine.database();
  await withStore(options, makeNotes);
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const victim = await runAndKill(
      'transactions',
      [JSON.stringify(options), String(round)],
      moments,
    );
    tally.killed(victim);
    for (const [kind = '', what = ''] of victim.marks) {
      if (kind === 'acknowledged') acknowledged.add(what);
      else tally.problem(`round ${round}: ${kind} ${what}`);
    }
    tally.verify((await withStore(options, readNotes)).problems);
    tally.count('restarts');
  }
  const { ids } = await withStore(options, readNotes);
  tally.compare(acknowledged, ids);
  return tally.figures;
}

/** Kills while a database is brought through migrations. */
export async function storeMigrations({ engine, random, rounds }: Campaign): Promise<Figures> {
  const tally = new Tally(engine.name, 'migrations');
  const moments = new Moments(random, 1);
  const migrations = ledgerMigrations();
  for (let round = 0; round < rounds; round++) {
    const options = await engine.database();
    const victim = await runAndKill('migrations', [JSON.stringify(options)], moments);
    tally.killed(victim);
    const done = victim.marks.some(([kind]) => kind === 'acknowledged');
    await withStore({ ...options, migrations }, async (store) => {
      tally.count('restarts');
      const rows = await store.db.selectFrom('schema_migration').selectAll().execute();
      const names = rows.map(({ name }) => name);
      tally.compare(new Set(done ? migrations.map(({ name }) => name) : []), names);
      tally.verify(await ledgerProblems(store));
    });
  }
  return tally.figures;
}
