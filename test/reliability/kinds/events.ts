import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsServer } from '../../bus/nats-server.ts';
import type { PostgresServer } from '../../runtime/store/postgres-server.ts';
import type { Campaign } from '../engine.ts';
import {
  disordered,
  type EventPlace,
  keeper,
  openEnds,
  readEvents,
  startEvents,
} from '../kept-events.ts';
import { Moments } from '../moments.ts';
import { makeNotes, readNoteIds } from '../notes.ts';
import { type Figures, Tally } from '../tally.ts';
import { Victim } from '../victim.ts';
import { withStore } from '../with-store.ts';

/** What is killed beside our process, or in its place, and comes back. */
export type Killed = 'process' | 'server' | 'both';

export interface EventCampaign extends Campaign {
  readonly killed: Killed;
  /** PostgreSQL, or NATS; none where the events lie in SQLite. */
  readonly server?: PostgresServer | NatsServer;
  readonly natsUrl?: string;
}

/** Kills while events are published, moved from the outbox and handled. */
export async function eventsKept(campaign: EventCampaign): Promise<Figures> {
  const { engine, random, rounds, killed, server, natsUrl } = campaign;
  const carrier = natsUrl === undefined ? engine.name : 'NATS';
  const tally = new Tally(carrier, `events: ${killed}`);
  const moments = new Moments(random, 10);
  const place: EventPlace = {
    options: await engine.database(),
    ...(natsUrl !== undefined && { natsUrl }),
  };
  await withStore(place.options, makeNotes);
  const seen = { acknowledged: new Set<string>(), handled: new Set<string>() };
  let victim: Victim | undefined;
  for (let round = 0; round < rounds; round++) {
    victim ??= new Victim('bus-events', [JSON.stringify(place), String(round)], moments);
    const isAlone = killed === 'server';
    await victim.reach(isAlone ? moments.running() : moments.fromStart());
    tally.killed(victim);
    await Promise.all([isAlone ? undefined : victim.kill(), isGone(killed, server)]);
    if (killed !== 'process') await comeBack(server, random() * 200);
    if (isAlone) await victim.hearNext('acknowledged');
    tally.count('restarts');
    if (isAlone && round < rounds - 1) {
      tally.verify([]);
      continue;
    }
    if (isAlone) await victim.kill();
    take(victim, seen, tally);
    victim = undefined;
    const isInStore = natsUrl === undefined;
    tally.verify(await withStore(place.options, (store) => openEnds(store, isInStore)));
  }
  await compare(place, seen, tally);
  return tally.figures;
}

async function isGone(killed: Killed, server: EventCampaign['server']): Promise<void> {
  if (killed === 'process') return;
  if (server !== undefined && 'crash' in server) await server.crash();
  else await server?.kill();
}

async function comeBack(server: EventCampaign['server'], afterMs: number): Promise<void> {
  await sleep(afterMs);
  if (server !== undefined && 'run' in server) await server.run();
  else await server?.restart();
}

interface Seen {
  readonly acknowledged: Set<string>;
  readonly handled: Set<string>;
}

function take(victim: Victim, { acknowledged, handled }: Seen, tally: Tally): void {
  for (const [kind, what = ''] of victim.marks) {
    if (kind === 'acknowledged') acknowledged.add(what);
    else if (kind === 'handled') handled.add(what);
    else if (kind === 'failed') tally.problem(`expected a 503, found ${what}`);
  }
}

/** Let everything come to its end, and see what there is. */
async function compare(
  place: EventPlace,
  { acknowledged, handled }: Seen,
  tally: Tally,
): Promise<void> {
  await withStore(place.options, async (store) => {
    const running = await startEvents(store, place);
    const { bus } = running;
    running.look();
    while ((await bus.waiting()) > 0) await sleep(20);
    const kept = await readEvents(bus);
    const missing = new Set(kept.map(({ id }) => id).filter((id) => !handled.has(id)));
    const consuming = await bus.consume(keeper, async ({ event }) => {
      missing.delete(event.id);
    });
    // A claim of a process that was killed runs out by itself.
    while (missing.size > 0) await sleep(20);
    await consuming.stop();
    const ids = kept.map(({ id }) => id);
    tally.compare(acknowledged, ids);
    for (const wrong of disordered(kept)) tally.problem(wrong);
    const rows = new Set(await readNoteIds(store));
    const withRows = new Set(ids.filter((id) => id.startsWith('t/')));
    for (const id of rows.symmetricDifference(withRows)) {
      tally.problem(
        `${id} is ${rows.has(id) ? 'a row without its event' : 'an event without its row'}`,
      );
    }
    await running.stop();
  });
}
