import { sql } from 'kysely';
import type { ConsumerDefinition } from '#contract/bus/consumer';
import type { StoredMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import type { BusStore } from './bus-store.ts';
import { procedure } from './bus-store.ts';
import type { Step, Verdict } from './consumer-step.ts';
import { messageOf, ownTenant } from './message-row.ts';
import type { StreamReader } from './stream-reader.ts';

/** A message in the hands of this process. */
export interface Claimed {
  readonly message: StoredMessage;
  readonly deliveries: number;
}

/** What one look at the table gave. */
export interface Look extends Omit<Step, 'claimed'> {
  readonly claimed: readonly Claimed[];
}

export interface ConsumerTableOptions {
  readonly store: BusStore;
  readonly reader: StreamReader;
  /** Of this process: what it had is free again when it has ended. */
  readonly owner: string;
  readonly deadLetters: StreamDefinition;
}

/** Where one durable consumer stands, whichever processes share it. */
export class ConsumerTable {
  readonly #options: ConsumerTableOptions;
  readonly #consumer: Required<ConsumerDefinition>;

  constructor(options: ConsumerTableOptions, consumer: Required<ConsumerDefinition>) {
    this.#options = options;
    this.#consumer = consumer;
  }

  /** Make the consumer where it is not there, or give it another filter. */
  async open(): Promise<void> {
    const { stream, name, filter, begin } = this.#consumer;
    const { store, reader, owner } = this.#options;
    const last = begin === 'new' ? await reader.lastSequence(stream) : 0;
    await sql`insert into bus_consumer (tenant, stream, name, filter, delivered)
      values (${ownTenant}, ${stream}, ${name}, ${filter}, ${last})
      on conflict (tenant, stream, name) do update set filter = ${filter}`.execute(store.db);
    // Only one process has an SQLite database: what another one had was left behind.
    if (store.engine === 'sqlite') {
      await sql`update bus_pending set due_at = 0
        where stream = ${stream} and consumer = ${name} and owner <> ${owner}`.execute(store.db);
    }
  }

  /** Write down what became of deliveries, and claim at most so many more. */
  async step(verdicts: readonly Verdict[], room: number): Promise<Look> {
    const { store, owner, deadLetters } = this.#options;
    const consumer = this.#consumer;
    const { claimed, ...look } = await store.run(
      procedure('stepConsumer'),
      { consumer, owner, deadLetters, verdicts, room },
      // A claim that is lost with the power is a message that is delivered again.
      verdicts.length === 0 ? 'seen' : 'flushed',
    );
    return {
      ...look,
      claimed: claimed.map(({ row, deliveries }) => ({ message: messageOf(row), deliveries })),
    };
  }
}
