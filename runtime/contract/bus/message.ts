/** A message on its way into a stream. */
export interface OutgoingMessage {
  /** Tokens of `[A-Za-z0-9_-]{1,64}` with dots between them; it decides which stream takes it. */
  readonly subject: string;
  /** Whose it is. Where several tenants share the server, the subject says so too. */
  readonly tenant: string;
  /** Text, at most `maxMessageBytes` of the stream in UTF-8, headers included. */
  readonly data: string;
  /**
   * The same id again within the stream's window changes nothing (JetStream, Nats-Msg-Id), where the
   * tenant is the same too. Unique for each message of it; without one, the driver makes a ULID.
   */
  readonly id?: string;
  /** Printable ASCII (U+0021 to U+007E and inner spaces), by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The sequence of the newest message on this very subject, 0 for none: where it is another one,
   * nothing is published (JetStream, Nats-Expected-Last-Subject-Sequence).
   */
  readonly expectedLastSequence?: number;
  /**
   * The message may have been published before: its id counts from this time on, in milliseconds,
   * where that is longer than the window. A driver that cannot look back so far does not.
   */
  readonly mayBeThereSince?: number;
  /** The id was made for this message, which is published for the first time: none is looked for. */
  readonly isNewId?: boolean;
}

/** The message is on the disk, at this place. */
export interface PublishReceipt {
  readonly stream: string;
  /** 1, 2, 3, ...: grows with each message of the stream; after a removal, numbers are missing. */
  readonly sequence: number;
  /** A message of the same id was there already, at this place. */
  readonly duplicate: boolean;
}

/** A message in its place. */
export interface StoredMessage {
  readonly stream: string;
  readonly sequence: number;
  readonly subject: string;
  /** Empty where whoever published it did not say. */
  readonly tenant: string;
  readonly id: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: string;
  /** When it was stored, in milliseconds since the epoch. */
  readonly storedAt: number;
}
