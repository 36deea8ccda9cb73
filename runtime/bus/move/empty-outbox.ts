import { randomUUID } from 'node:crypto';
import type { StreamDefinition } from '#contract/bus/stream';
import { eventCatalogue } from '../../../generated/events.ts';
import { startBusEngine } from '../bus-engine.ts';
import type { BusStore } from '../embedded/bus-store.ts';

/**
 * Publish what still waits in the outbox, to the streams of the store: there it is known what has
 * been published before, and at another bus it would not be.
 *
 * @throws what the store throws
 */
export async function emptyOutbox(
  store: BusStore,
  streams: readonly StreamDefinition[],
): Promise<void> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const engine = await startBusEngine({
    ...{ store, streams, owner: randomUUID(), nats: undefined, catalogue: eventCatalogue },
    // Nothing is made of an event here: it only goes on.
    isShared: false,
    onPublished: () => {},
    onFailure: (_, error) => failed.reject(error),
  });
  try {
    while ((await engine.bus.waiting()) > 0) {
      engine.relay.wake();
      await Promise.race([engine.relay.idle(), failed.promise]);
    }
  } finally {
    await engine.stop();
  }
}
