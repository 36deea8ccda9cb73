/** A value in its place. */
export interface KeyValueEntry {
  readonly key: string;
  readonly value: string;
  /** Grows with each change of the bucket; never the same twice. */
  readonly revision: number;
  readonly storedAt: number;
}

/** A change that a watcher hears of. */
export type KeyValueChange =
  | (KeyValueEntry & { readonly kind: 'put' })
  | { readonly kind: 'delete'; readonly key: string; readonly revision: number };

/**
 * State that all replicas share, with the revisions of each key. A key is tokens of a subject with
 * dots between them, such as `workflow.01J8...`; a value is text of at most 256 KiB.
 */
export interface KeyValue {
  get(key: string): Promise<KeyValueEntry | undefined>;
  /** Write, whatever is there. Gives the revision. */
  put(key: string, value: string): Promise<number>;
  /** @throws ServiceError `conflict` where the key has a value */
  create(key: string, value: string): Promise<number>;
  /** @throws ServiceError `conflict` where the newest revision of the key is another one */
  update(key: string, value: string, revision: number): Promise<number>;
  /**
   * @param revision the newest one that may be deleted; whatever it is when absent
   * @throws ServiceError `conflict`
   */
  delete(key: string, revision?: number): Promise<void>;
  /** What is kept of a key, the oldest first; deletions among it. */
  history(key: string): Promise<readonly KeyValueChange[]>;
  /** The keys that have a value, in no order; `filter` has `*` and `>`. */
  keys(filter?: string): Promise<readonly string[]>;
  /**
   * Hear of the newest value of each key first, and then of every change, in its order. Ends with
   * the signal.
   */
  watch(signal: AbortSignal, filter?: string): AsyncIterable<KeyValueChange>;
}

/** How a bucket is kept. */
export interface BucketDefinition {
  /** Capital letters, digits and `_`. */
  readonly name: string;
  /** Changes that are kept of each key, 1 to 64. */
  readonly history: number;
  readonly maxBytes: number;
}
