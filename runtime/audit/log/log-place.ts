import type { Worker } from 'node:worker_threads';
import type { KeptNote } from '../anchors/outside.ts';
import type { LogIdentity } from '../keys/log-identity.ts';
import type { EventParts } from './canonical-event.ts';

/** Where a log lies, and the threads that write and read it there. */
export interface LogPlace {
  readonly identity: LogIdentity;
  /** The verifier key to which the log is to be handed over before anything else is written. */
  readonly nextKey?: string | undefined;
  /** Other processes may write the log as well. */
  readonly shared: boolean;
  /** Start the thread that understands `ToWriter`. */
  startWriter(start: WriterStart): Worker;
  /** Start a thread that answers each `ReadRequest`. */
  startReader(): Worker;
  /** Let others have it. */
  release(): void;
}

/** What the writer of a log does before anything else. */
export interface WriterStart {
  /** Checkpoints that are kept elsewhere, to compare the log with. */
  readonly outside: readonly KeptNote[];
  /**
   * The first entry, which the writer of a shared log writes itself: two replicas may find the log
   * empty at the same time.
   */
  readonly opening: EventParts;
  /** Time of the first entry, in milliseconds since the epoch. */
  readonly at: number;
  /** The entry that hands over to the next key. */
  readonly rotation: EventParts | undefined;
}
