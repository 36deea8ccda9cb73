import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Bus } from '#contract/bus/bus';
import type { Store } from '#contract/house/store';
import { createEvents, type Events, eventCatalogue } from '../../generated/events.ts';
import type { Tables } from '../../generated/tables.ts';
import { startBusEngine } from '../../runtime/bus/bus-engine.ts';
import type { OwnedStore, StoreOptions } from '../../runtime/store/index.ts';
import { deadLetters, stream } from '../bus/contract/streams.ts';

/** Where the events lie: in the store, or in the NATS server at this address. */
export interface EventPlace {
  readonly options: StoreOptions;
  readonly natsUrl?: string;
}

export interface RunningEvents {
  readonly bus: Bus;
  readonly events: Events;
  /** Look into the outbox, as a server does every now and then. */
  look(): void;
  stop(): Promise<void>;
}

const streams = [stream({ name: 'SERVICE_AGENT', subjects: ['service.agent.>'] }), deadLetters];

/** Who handles all of them, however often it is killed. */
export const keeper = {
  name: 'test_keeper',
  events: ['agent.state', 'agent.claimed'],
  ackWaitMs: 2000,
  maxDeliver: 1000,
} as const;

/** Start a bus over a store. */
export async function startEvents(
  store: OwnedStore,
  { options, natsUrl }: EventPlace,
): Promise<RunningEvents> {
  const { bus, relay, stop } = await startBusEngine({
    ...{ store, streams, catalogue: eventCatalogue, isShared: false, owner: randomUUID() },
    databaseUrl: options.databaseUrl,
    nats:
      natsUrl === undefined
        ? undefined
        : {
            ...{ url: natsUrl, credentials: undefined, certificateAuthority: undefined },
            ...{ isPersistent: true, replicas: 1 },
          },
    onPublished: () => {},
    // What was not done is told to whoever asked for it.
    onFailure: () => {},
  });
  return { bus, events: createEvents(bus), look: () => relay.wake(), stop };
}

/** Publish the event of a row with it. */
export async function keepWithEvent(
  store: Store<Tables>,
  { events }: RunningEvents,
  id: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    await sql`insert into kept_note values (${id})`.execute(tx);
    await events.agent.claimed.within(tx, { tenant: 'default', id, data: { agent_id: id } });
  });
}

/** Rows without their event, and events without their row, right after a kill. */
export async function openEnds(
  { db }: Store<Tables>,
  isInStore: boolean,
): Promise<readonly string[]> {
  const ids = async (query: RawBuilder<{ id: string }>, what: string) =>
    (await query.execute(db)).rows.map(({ id }) => `${what}: ${id}`);
  const withoutRow = await ids(
    sql`select id from bus_outbox where id not in (select id from kept_note)`,
    'an event without its row',
  );
  if (!isInStore) return withoutRow;
  const stored = sql`select message_id from bus_message where subject = 'service.agent.claimed'`;
  return [
    ...withoutRow,
    ...(await ids(
      sql`select message_id as id from bus_message where subject = 'service.agent.claimed'
        and message_id not in (select id from kept_note)`,
      'an event without its row',
    )),
    ...(await ids(
      sql`select id from kept_note where id not in (select id from bus_outbox)
        and id not in (${stored})`,
      'a row without its event',
    )),
  ];
}

/** An event in the stream. */
export interface KeptEvent {
  readonly id: string;
  readonly type: string;
}

/** All events, in the order of the stream. */
export async function readEvents(bus: Bus): Promise<readonly KeptEvent[]> {
  const all: KeptEvent[] = [];
  for (let from: number | undefined = 1; from !== undefined; ) {
    const page: Awaited<ReturnType<Bus['read']>> = await bus.read({
      ...{ stream: 'SERVICE_AGENT', fromSequence: from, limit: 1000 },
    });
    all.push(...page.messages.map(({ event: { id, type } }) => ({ id, type })));
    from = page.next;
  }
  return all;
}

/** Events that stand behind one that was published after them: ids end with their number in a lane. */
export function disordered(events: readonly KeptEvent[]): readonly string[] {
  const last = new Map<string, number>();
  return events.flatMap(({ id, type }) => {
    const cut = id.lastIndexOf('/');
    const lane = `${type} ${id.slice(0, cut)}`;
    const number = Number(id.slice(cut + 1));
    const before = last.get(lane) ?? -1;
    last.set(lane, Math.max(before, number));
    return number < before ? [`${id} stands behind number ${before}`] : [];
  });
}
