import { randomUUID } from 'node:crypto';
import { EmbeddedDriver } from '../../runtime/bus/embedded/embedded-driver.ts';
import { Waker } from '../../runtime/bus/embedded/wake.ts';
import type { MakeDatabase } from '../runtime/store/replicas.ts';
import type { MakeBus } from './contract/make-bus.ts';

/** The embedded bus in databases that `make` makes. */
export function embeddedBus(make: MakeDatabase): MakeBus {
  return async (t, streams, count = 1) => {
    const { options, replicas } = await make(t);
    // One process has an SQLite database, whatever uses it there.
    const waker = options.databaseUrl === undefined ? new Waker() : undefined;
    const drivers = (await replicas(count)).map(
      (store) =>
        new EmbeddedDriver({
          ...{ store, streams, databaseUrl: options.databaseUrl, owner: randomUUID() },
          ...(waker && { waker }),
          onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
        }),
    );
    await Promise.all(drivers.map((driver) => driver.start()));
    t.after(() => Promise.all(drivers.map((driver) => driver.stop())));
    return drivers;
  };
}
