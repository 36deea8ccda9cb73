import type { Worker } from 'node:worker_threads';
import type { EventParts } from './canonical-event.ts';
import type { LogIdentity } from './schema.ts';

/** Where a log lies, and the threads that write and read it there. */
export interface LogPlace {
  readonly identity: LogIdentity;
  /** The verifier key to which the log is to be handed over before anything else is written. */
  readonly nextKey?: string | undefined;
  /** Other processes may write the log as well. */
  readonly shared: boolean;
  /**
   * Start the thread that understands `ToWriter`. `outside` are checkpoints that are kept elsewhere;
   * `opening` is the first entry, which the writer of a shared log writes itself: two replicas may
   * find the log empty at the same time. `rotation` is the entry that hands over to the next key.
   */
  startWriter(
    outside: readonly string[],
    opening: EventParts,
    rotation: EventParts | undefined,
  ): Worker;
  /** Start a thread that answers each `ReadRequest`. */
  startReader(): Worker;
  /** Let others have it. */
  release(): void;
}
