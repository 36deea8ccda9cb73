import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createEvents, eventCatalogue, eventStreams } from '../../generated/events.ts';
import { type EngineOptions, startBusEngine } from '../../runtime/bus/bus-engine.ts';
import { Waker } from '../../runtime/bus/embedded/wake.ts';
import type { OwnedStore } from '../../runtime/store/index.ts';
import { type MakeDatabase, openStore } from '../runtime/store/replicas.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { deadLetters } from './contract/streams.ts';

const streams = [
  ...eventStreams.map((stream) => ({ ...stream, maxBytes: stream.maxBytes.development })),
  deadLetters,
];

type Options = Partial<
  Pick<EngineOptions, 'isShared' | 'documentUrl' | 'databaseUrl' | 'waker'> & {
    readonly natsUrl: string;
  }
>;

/** The event bus of a server with its whole catalogue, on SQLite, for the time of one test. */
export async function startBus(t: TestContext, options: Options = {}) {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  return startBusOn(t, store, options);
}

/** The same for replicas that share a database, and NATS where it has an address. */
export async function startReplicas(
  t: TestContext,
  {
    database,
    count,
    ...options
  }: Options & { readonly database: MakeDatabase; readonly count: number },
) {
  const made = await database(t);
  const { databaseUrl } = made.options;
  // One process has an SQLite database, whatever uses it there.
  const own = databaseUrl === undefined ? { waker: new Waker() } : { databaseUrl };
  return Promise.all(
    (await made.replicas(count)).map((store) => startBusOn(t, store, { ...options, ...own })),
  );
}

async function startBusOn(t: TestContext, store: OwnedStore, { natsUrl, ...options }: Options) {
  const engine = await startBusEngine({
    ...{ store, streams, isShared: false, catalogue: eventCatalogue, ...options },
    owner: randomUUID(),
    nats: natsUrl === undefined ? undefined : { ...natsSettings, url: natsUrl },
    onPublished: () => {},
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  const { bus, stop } = engine;
  t.after(stop);
  return { store, bus, events: createEvents(bus), stop };
}

const natsSettings = {
  ...{ isPersistent: true, replicas: 1 },
  ...{ credentials: undefined, certificateAuthority: undefined },
};
