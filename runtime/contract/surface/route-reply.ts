declare const choice: unique symbol;

/** Bodies by media type, of which the client gets the one that it likes best (RFC 9110 section 12.5.1). */
export interface Choice<ByType extends object> {
  readonly [choice]: ByType;
}

/** One event of a `text/event-stream` (WHATWG HTML, server-sent events). */
export interface ServerEvent<Data = unknown> {
  /** Text is sent as it is, all else as JSON. */
  readonly data: Data;
  /** Type of the event; `message` when absent. */
  readonly event?: string;
  /** Comes back as `Last-Event-ID` when the client connects again. */
  readonly id?: string;
  /** Milliseconds after which a client that was cut off comes back. */
  readonly retryMs?: number;
}

export type Events<Data = unknown> = AsyncIterable<ServerEvent<Data>>;

/** A body that is sent as it is made. */
export type Chunks = AsyncIterable<string | Uint8Array>;
