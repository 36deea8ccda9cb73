import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Bus } from '#contract/bus/bus';
import { deadLetterStream } from '#contract/bus/dead-letter';
import type { BusHealth } from '#contract/bus/driver';
import type { StreamDefinition } from '#contract/bus/stream';
import type { Jobs } from '#contract/house/jobs';
import type { SurfaceMetrics } from '#contract/house/metrics';
import type { ProcedureStore } from '#contract/house/procedures';
import type { Store } from '#contract/house/store';
import type { Config } from '../../generated/config.ts';
import { eventCatalogue, eventStreams } from '../../generated/events.ts';
import type { Tables } from '../../generated/tables.ts';
import type { Part } from '../process/life.ts';
import { parseTenants } from '../process/tenant/declared-tenants.ts';
import type { BusEngine } from './bus-engine.ts';
import { eventDocument } from './event-document.ts';
import { natsSettings } from './nats-settings.ts';

/** The bus, whose owner starts and stops it. */
export interface OwnedBus extends Bus, Part {}

export interface BusParts {
  readonly store: Store<Tables> & ProcedureStore;
  readonly log: Pick<Logger, 'warn'>;
  readonly jobs: Pick<Jobs, 'define'>;
  readonly metrics: Pick<SurfaceMetrics, 'counter'>;
  readonly databaseUrl: string | undefined;
}

/**
 * Whether the operator has switched the bus on, or set it up. Where not, the server publishes nothing
 * of its own: nobody would read it, and the store would keep it for weeks.
 */
export function isBusOn({ surfaces: { bus } }: Config): boolean {
  return bus.enabled || bus.url !== undefined;
}

/** A dead letter is a message and what is said of its end. */
const deadLetterHeadersBytes = 16_384;
const dayMs = 86_400_000;
/** How often to look whether something was left in the outbox: after a crash, or by another process. */
const lookMs = 10_000;
/** After how many looks to remove what is older than its stream keeps it: an hour. */
const looksPerSweep = 360;

/**
 * Create the event bus. What runs it is loaded with its first use: a server that uses no events pays
 * nothing for them.
 */
export function createBus(config: Config, parts: BusParts): OwnedBus {
  const { store, log, jobs, metrics } = parts;
  const onPublished = metrics.counter({
    name: 'bus_events_published_total',
    help: 'Events that this process has published, or written into the outbox.',
  });
  const onDelivery = metrics.counter({
    name: 'bus_deliveries_total',
    help: 'Deliveries of events to consumers of this process.',
  });
  const onRedelivery = metrics.counter({
    name: 'bus_redeliveries_total',
    help: 'Deliveries of events that had been delivered before.',
  });
  const onDead = metrics.counter({
    name: 'bus_dead_letters_total',
    help: 'Events that no consumer of this process could handle.',
  });
  const nats = natsSettings(config);
  let loading: Promise<BusEngine> | undefined;
  let loaded: BusEngine | undefined;
  let isStopped = false;

  async function load(): Promise<BusEngine> {
    const { startBusEngine } = await import('./bus-engine.ts');
    loaded = await startBusEngine({
      ...{ store, databaseUrl: parts.databaseUrl, owner: randomUUID() },
      nats,
      streams: streamsFor(config.nodeEnv === 'production'),
      catalogue: eventCatalogue,
      documentUrl: documentUrl(config),
      isShared: parseTenants(config.tenants).length > 0,
      onPublished,
      onDelivery(isAgain) {
        onDelivery();
        if (isAgain) onRedelivery();
      },
      onDead,
      onFailure: (message, err) => log.warn({ err }, message),
    });
    return loaded;
  }

  const engine = (): Promise<BusEngine> => {
    if (isStopped && loading === undefined) return Promise.reject(new Error('the bus is stopped'));
    loading ??= load();
    return loading;
  };

  let looks = 0;
  jobs.define({
    scope: 'process',
    name: 'bus',
    everyMs: lookMs,
    async run({ signal }) {
      looks += 1;
      // The first one comes with the start of the server, which has more to do.
      if (looks === 1) return;
      const { outbox, relay, removeExpired } = await engine();
      if ((await outbox.count()) > 0) relay.wake();
      if (looks % looksPerSweep === 2) await removeExpired(signal);
    },
  });

  // The store is there anyway; NATS has to be reached before anybody knows.
  const asleep = nats === undefined ? 'ok' : 'connecting';
  return {
    ...lazyBus(engine),
    health: (): BusHealth => loaded?.bus.health() ?? { state: isStopped ? 'stopped' : asleep },
    async start() {
      if (nats !== undefined) await engine();
    },
    async drain() {
      await loaded?.bus.drain();
    },
    async stop() {
      isStopped = true;
      await (await loading?.catch(() => undefined))?.stop();
    },
  };
}

/** The address of the document, which the surface of the bus serves. */
function documentUrl({ baseUrl, surfaces: { bus } }: Config): string | undefined {
  if (baseUrl === undefined || !bus.enabled) return undefined;
  return new URL('/asyncapi.json', baseUrl).href;
}

/** The streams of the catalogue, and that of the dead letters. */
export function streamsFor(isProduction: boolean): readonly StreamDefinition[] {
  const size = isProduction ? 'production' : 'development';
  const all = eventStreams.map((stream) => ({ ...stream, maxBytes: stream.maxBytes[size] }));
  const longest = Math.max(...all.map(({ maxMessageBytes }) => maxMessageBytes));
  const letters: StreamDefinition = {
    name: deadLetterStream,
    subjects: ['service_dlq.>'],
    maxAgeMs: 30 * dayMs,
    maxBytes: deadLetterBytes[size],
    maxMessageBytes: longest + deadLetterHeadersBytes,
    discard: 'old',
    duplicateWindowMs: 120_000,
  };
  return [...all, letters];
}

const deadLetterBytes = { development: 134_217_728, production: 1_073_741_824 };

/** The bus before it is loaded. */
function lazyBus(engine: () => Promise<BusEngine>): Omit<Bus, 'health' | 'drain'> {
  const bus = async () => (await engine()).bus;
  return {
    publish: (async (...args: Parameters<Bus['publish']>) =>
      (await bus()).publish(...args)) as Bus['publish'],
    consume: async (consumer, handler) => (await bus()).consume(consumer, handler),
    read: async (query) => (await bus()).read(query),
    async *follow(query, signal) {
      yield* (await bus()).follow(query, signal);
    },
    deadLetters: {
      list: async (query) => (await bus()).deadLetters.list(query),
      replay: async (tenant, letter) => (await bus()).deadLetters.replay(tenant, letter),
      discard: async (tenant, letter) => (await bus()).deadLetters.discard(tenant, letter),
    },
    states: async () => (await bus()).states(),
    bucket: (definition, tenant) => {
      const bucket = async () => (await bus()).bucket(definition, tenant);
      return {
        get: async (key) => (await bucket()).get(key),
        put: async (key, value) => (await bucket()).put(key, value),
        create: async (key, value) => (await bucket()).create(key, value),
        update: async (key, value, revision) => (await bucket()).update(key, value, revision),
        delete: async (key, revision) => (await bucket()).delete(key, revision),
        history: async (key) => (await bucket()).history(key),
        keys: async (filter) => (await bucket()).keys(filter),
        async *watch(signal, filter) {
          yield* (await bucket()).watch(signal, filter);
        },
      };
    },
    waiting: async () => (await bus()).waiting(),
    refused: async () => (await bus()).refused(),
    document: eventDocument,
  };
}
