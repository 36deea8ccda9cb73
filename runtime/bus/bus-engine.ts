import type { Bus } from '#contract/bus/bus';
import type { BusDriver } from '#contract/bus/driver';
import type { EventCatalogue } from '#contract/bus/events';
import { defaultTenant } from '#contract/tenant/tenants';
import { EmbeddedDriver, type EmbeddedOptions } from './embedded/embedded-driver.ts';
import { PostgresListener } from './embedded/postgres-listener.ts';
import { createEventBus } from './event-bus.ts';
import { EventCheck } from './event-check.ts';
import type { NatsSettings } from './nats-settings.ts';
import { Outbox } from './outbox.ts';
import { Relay } from './relay.ts';

export interface EngineOptions extends EmbeddedOptions {
  /** Where NATS carries the events, and the store keeps no more than the outbox. */
  readonly nats: NatsSettings | undefined;
  readonly catalogue: EventCatalogue;
  /** Whether several tenants share the server. */
  readonly isShared: boolean;
  /** Where the AsyncAPI document of the events can be read. */
  readonly documentUrl?: string | undefined;
  readonly onPublished: () => void;
}

/** The bus while it runs. */
export interface BusEngine {
  readonly bus: Bus;
  readonly outbox: Outbox;
  readonly relay: Relay;
  removeExpired(signal: AbortSignal): Promise<void>;
  /** Let what has begun come to its end; what waits in the outbox stays there. */
  stop(): Promise<void>;
}

/** Put the bus together and start it. */
export async function startBusEngine(options: EngineOptions): Promise<BusEngine> {
  const { store, catalogue, isShared, databaseUrl, onPublished, onFailure } = options;
  const driver = await createDriver(options);
  const outbox = new Outbox(store);
  const relay = new Relay({
    forward: (limit) =>
      driver instanceof EmbeddedDriver ? driver.forward(limit) : outbox.forwardTo(driver, limit),
    onFailure: (error) => onFailure('events of the outbox cannot be published', error),
    onRefused: (error) => onFailure('an event of the outbox was set aside', error),
  });
  const listener =
    databaseUrl === undefined
      ? undefined
      : new PostgresListener({
          ...{ databaseUrl, channel: 'bus_outbox' },
          onNotice: () => relay.wake(),
          onConnect: () => relay.wake(),
          onFailure: (error) => onFailure('notices of PostgreSQL cannot be heard', error),
        });
  await driver.start();
  // Not waited for: the first use may be within a transaction, behind which this one has to wait.
  const triedAgain = outbox.tryAgain().then(
    () => relay.wake(),
    (error: unknown) => onFailure('events that were set aside are not tried again', error),
  );
  listener?.start();
  const check = new EventCheck(catalogue, isShared, options.documentUrl);
  return {
    bus: createEventBus({ driver, check, outbox, relay, onPublished, isShared }),
    outbox,
    relay,
    // NATS does so itself.
    removeExpired: async (signal) => {
      if (driver instanceof EmbeddedDriver) await driver.removeExpired(signal);
    },
    async stop() {
      await listener?.stop();
      await triedAgain;
      await relay.stop();
      await driver.stop();
    },
  };
}

/** Whose an event is: its subject says so where several tenants share the server. */
function tenantOf(isShared: boolean): (subject: string) => string | undefined {
  return (subject) => {
    const [first, , third] = subject.split('.');
    if (first !== 'service') return undefined;
    return isShared ? (third ?? '') : defaultTenant;
  };
}

async function createDriver(options: EngineOptions): Promise<BusDriver> {
  const { nats, isShared, ...others } = options;
  if (nats === undefined) return new EmbeddedDriver(others);
  const { NatsDriver } = await import('./nats/nats-driver.ts');
  return new NatsDriver({ ...others, ...nats, address: nats, tenantOf: tenantOf(isShared) });
}
