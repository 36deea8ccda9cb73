import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A back end of a measurement, in a process of its own. */
export interface Store {
  readonly url: string;
}

export interface StoreOptions {
  readonly count: number;
  /** Lines that each gives. */
  readonly rows: number;
  /** How long each takes before it answers. */
  readonly delayMs: number;
}

/** Start back ends that answer as Loki does, all in one other process. */
export async function startStores(options: StoreOptions) {
  const child = fork(join(import.meta.dirname, 'servers/log-stores-process.ts'), [], {
    env: { ...process.env, STORES: JSON.stringify(options) },
  });
  const [urls] = (await once(child, 'message')) as [readonly string[]];
  return {
    stores: urls.map((url): Store => ({ url })),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
