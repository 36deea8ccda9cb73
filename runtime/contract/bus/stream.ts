/** A persistent stream, as its channel in the AsyncAPI document declares it (`x-jetstream`). */
export interface StreamDefinition {
  /** Capital letters, digits and `_`. */
  readonly name: string;
  /** Filters of what it takes, `*` for one token and `>` for all that follow; no two streams overlap. */
  readonly subjects: readonly string[];
  /** Older messages are removed. */
  readonly maxAgeMs: number;
  /** All that it holds: data, headers and subjects. */
  readonly maxBytes: number;
  /** Of one message: data, headers and subject. */
  readonly maxMessageBytes: number;
  /** When it is full: its oldest messages go, or a new one is refused (`bus_backpressure`). */
  readonly discard: 'old' | 'new';
  /** For how long the id of a message is remembered. */
  readonly duplicateWindowMs: number;
  /** Messages that are kept of each subject, the newest ones; all of them when absent. */
  readonly maxPerSubject?: number;
}

/** A stream whose size is another one in production (NODE_ENV). */
export interface SizedStream extends Omit<StreamDefinition, 'maxBytes'> {
  readonly maxBytes: { readonly development: number; readonly production: number };
}

/** A stream as it is now. */
export interface StreamState {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly messages: number;
  readonly bytes: number;
  /** 0 while there was none. */
  readonly firstSequence: number;
  /** Of the newest message that there ever was, 0 while there was none. */
  readonly lastSequence: number;
  readonly consumers: readonly ConsumerState[];
}

/** A durable consumer as it is now. */
export interface ConsumerState {
  readonly name: string;
  readonly filter: string;
  /** Up to here, everything that it wants was delivered at least once. */
  readonly delivered: number;
  /** Delivered, and neither acknowledged nor given up. */
  readonly pending: number;
  /** Messages behind `delivered`; an upper bound where the filter leaves some out. */
  readonly waiting: number;
}

/** Which messages of a stream to read, in their order. */
export interface ReadQuery {
  readonly stream: string;
  /** From this sequence on (default 1). */
  readonly fromSequence?: number;
  /** From the first message that was stored at this time or later, in milliseconds. */
  readonly fromTime?: number;
  /** Subjects, with `*` and `>`; several mean any of them. */
  readonly filters?: readonly string[];
  /** Those of one tenant alone. */
  readonly tenant?: string;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** Where to go on reading, and whether something was left out by a limit of size. */
export interface ReadPage<Message> {
  readonly messages: readonly Message[];
  /** Give it as `fromSequence` for what follows; absent where the end was reached. */
  readonly next?: number;
  /** Of the newest message of the stream. */
  readonly lastSequence: number;
}
