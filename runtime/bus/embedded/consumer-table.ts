import { sql, type Transaction } from 'kysely';
import type { ConsumerDefinition } from '#contract/bus/consumer';
import { deadLetterOf } from '#contract/bus/dead-letter';
import type { StoredMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { matches } from '#contract/bus/subject';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { append } from './append.ts';
import type { Dialect } from './dialect.ts';
import { ownTenant } from './message-row.ts';
import { inTransaction } from './publisher.ts';
import { fitting, mostScanned, type StreamReader } from './stream-reader.ts';

/** A message in the hands of this process. */
export interface Claimed {
  readonly message: StoredMessage;
  readonly deliveries: number;
}

/** What became of a delivery. */
export type Verdict = { readonly sequence: number; readonly deliveries: number } & (
  | { readonly kind: 'ack' }
  | { readonly kind: 'nak'; readonly delayMs: number }
  | { readonly kind: 'term'; readonly reason: string }
  | { readonly kind: 'working' }
  /** Nobody has begun with it: it counts as not delivered. */
  | { readonly kind: 'release' }
);

/** What one look at the table gave. */
export interface Step {
  readonly claimed: readonly Claimed[];
  /** More may be had at once. */
  readonly more: boolean;
  /** Milliseconds until something is due again, as far as it is known now. */
  readonly dueInMs: number | undefined;
  /** Messages that have become dead letters. */
  readonly dead: number;
}

export interface ConsumerTableOptions {
  readonly store: Store<Tables>;
  readonly dialect: Dialect;
  readonly reader: StreamReader;
  /** Of this process: what it had is free again when it has ended. */
  readonly owner: string;
  readonly deadLetters: StreamDefinition;
}

interface Pending {
  readonly sequence: number;
  readonly deliveries: number;
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
  step(verdicts: readonly Verdict[], room: number): Promise<Step> {
    const { maxAckPending, ackWaitMs } = this.#consumer;
    return inTransaction(this.#options.store, async (tx) => {
      const standing = await this.#lock(tx);
      if (standing === undefined) return { claimed: [], more: false, dueInMs: undefined, dead: 0 };
      let dead = await this.#settle(tx, verdicts, standing.now);
      const again = await this.#due(tx, standing.now, room);
      dead += again.dead;
      const { pending, firstDue } = await this.#count(tx);
      const free = Math.min(room - again.claimed.length, maxAckPending - pending);
      const next = await this.#next(tx, standing, free);
      const claimed = [...again.claimed, ...next.claimed];
      const due = Math.min(firstDue, claimed.length > 0 ? standing.now + ackWaitMs : Infinity);
      return {
        claimed,
        // Whoever has acknowledged may have room again.
        more: next.more || again.claimed.length === room || room === 0,
        dueInMs: Number.isFinite(due) ? Math.max(0, due - standing.now) : undefined,
        dead,
      };
    });
  }

  async #lock(tx: Transaction<Tables>): Promise<{ delivered: number; now: number } | undefined> {
    const { stream, name } = this.#consumer;
    const { dialect } = this.#options;
    const { rows } = await sql<{ delivered: number; now: number }>`
      select delivered, ${dialect.now} as now from bus_consumer
      where tenant = ${ownTenant} and stream = ${stream} and name = ${name} ${dialect.lock}
    `.execute(tx);
    return rows[0];
  }

  /** Gives how many messages have become dead letters. */
  async #settle(
    tx: Transaction<Tables>,
    verdicts: readonly Verdict[],
    now: number,
  ): Promise<number> {
    const { stream, name, maxDeliver, ackWaitMs } = this.#consumer;
    await this.#forget(
      tx,
      verdicts.flatMap((each) => (each.kind === 'ack' ? [each.sequence] : [])),
    );
    let dead = 0;
    for (const verdict of verdicts) {
      const { kind, sequence, deliveries } = verdict;
      if (kind === 'ack') continue;
      const isLast = kind === 'nak' && deliveries >= maxDeliver;
      if (kind === 'term' || isLast) {
        const reason =
          kind === 'term' ? verdict.reason : `not acknowledged after ${deliveries} deliveries`;
        dead += await this.#bury(tx, { sequence, deliveries }, reason);
        continue;
      }
      const given = kind === 'release' ? deliveries - 1 : deliveries;
      const dueAt = { nak: 0, release: 0, working: ackWaitMs }[kind];
      const delay = kind === 'nak' ? verdict.delayMs : dueAt;
      // Whoever has it by now is not disturbed.
      await sql`update bus_pending set due_at = ${now + Math.round(delay)}, deliveries = ${given}
        where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
          and sequence = ${sequence} and deliveries = ${deliveries}`.execute(tx);
    }
    return dead;
  }

  /** Claim what was delivered before and is due again; what has no deliveries left is dead. */
  async #due(
    tx: Transaction<Tables>,
    now: number,
    room: number,
  ): Promise<{ claimed: readonly Claimed[]; dead: number }> {
    const { stream, name, maxDeliver, ackWaitMs } = this.#consumer;
    const { dialect, owner, reader } = this.#options;
    if (room <= 0) return { claimed: [], dead: 0 };
    const { rows } = await sql<Pending>`select sequence, deliveries from bus_pending
      where stream = ${stream} and consumer = ${name} and due_at <= ${now}
      order by sequence limit ${room}`.execute(tx);
    if (rows.length === 0) return { claimed: [], dead: 0 };
    let dead = 0;
    for (const row of rows) {
      if (row.deliveries < maxDeliver) continue;
      dead += await this.#bury(tx, row, `not acknowledged after ${row.deliveries} deliveries`);
    }
    const alive = rows.filter(({ deliveries }) => deliveries < maxDeliver);
    const messages = await reader.messages(tx, stream, alive);
    const there = new Set(messages.map(({ sequence }) => sequence));
    await this.#forget(
      tx,
      alive.flatMap(({ sequence }) => (there.has(sequence) ? [] : [sequence])),
    );
    if (there.size > 0) {
      await sql`update bus_pending
        set deliveries = deliveries + 1, due_at = ${now + ackWaitMs}, owner = ${owner}
        where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
          and sequence in ${dialect.list([...there])}`.execute(tx);
    }
    const before = new Map(alive.map(({ sequence, deliveries }) => [sequence, deliveries]));
    const claimed = messages.map((message) => ({
      message,
      deliveries: (before.get(message.sequence) ?? 0) + 1,
    }));
    return { claimed, dead };
  }

  async #count(tx: Transaction<Tables>): Promise<{ pending: number; firstDue: number }> {
    const { stream, name } = this.#consumer;
    const { rows } = await sql<{ pending: number; due: number | null }>`
      select count(*) as pending, min(due_at) as due from bus_pending
      where stream = ${stream} and consumer = ${name}`.execute(tx);
    return { pending: rows[0]?.pending ?? 0, firstDue: rows[0]?.due ?? Infinity };
  }

  /** Claim what was never delivered. */
  async #next(
    tx: Transaction<Tables>,
    { delivered, now }: { readonly delivered: number; readonly now: number },
    free: number,
  ): Promise<{ claimed: readonly Claimed[]; more: boolean }> {
    const { stream, name, filter, ackWaitMs } = this.#consumer;
    const { dialect, owner, reader } = this.#options;
    if (free <= 0) return { claimed: [], more: false };
    const scanned = await reader.places(tx, { stream, from: delivered + 1 });
    if (scanned.length === 0) return { claimed: [], more: false };
    const wanted = scanned.filter(({ subject }) => matches(filter, subject));
    const taken = fitting(wanted, free);
    const isAll = taken.length === wanted.length;
    const last = (isAll ? scanned.at(-1) : taken.at(-1))?.sequence ?? delivered;
    await sql`update bus_consumer set delivered = ${last}
      where tenant = ${ownTenant} and stream = ${stream} and name = ${name}`.execute(tx);
    if (taken.length > 0) {
      const places = taken.map(({ sequence }) => ({ sequence }));
      await sql`insert into bus_pending
          (tenant, stream, consumer, sequence, deliveries, due_at, owner)
        select cast(${ownTenant} as text), cast(${stream} as text), cast(${name} as text), sequence, 1,
          cast(${now + ackWaitMs} as bigint), cast(${owner} as text)
        from ${dialect.rows(places, { sequence: 'integer' })}`.execute(tx);
    }
    const messages = await reader.messages(tx, stream, taken);
    const claimed = messages.map((message) => ({ message, deliveries: 1 }));
    // Less than a whole scan was the end of the stream.
    return { claimed, more: !isAll || scanned.length === mostScanned };
  }

  /** Copy a message to the dead letters and forget it; 1 where it was there. */
  async #bury(tx: Transaction<Tables>, row: Pending, reason: string): Promise<number> {
    const { stream, name: consumer } = this.#consumer;
    const { dialect, reader, deadLetters } = this.#options;
    const [message] = await reader.messages(tx, stream, [row]);
    const wasThere = await this.#forget(tx, [row.sequence]);
    if (message === undefined || !wasThere) return 0;
    const letter = deadLetterOf(message, { consumer, deliveries: row.deliveries, reason });
    const id = letter.id ?? '';
    await append(tx, { stream: deadLetters, messages: [{ message: letter, id }], dialect });
    return 1;
  }

  /** Whether one of them was there. */
  async #forget(tx: Transaction<Tables>, sequences: readonly number[]): Promise<boolean> {
    if (sequences.length === 0) return false;
    const { stream, name } = this.#consumer;
    const { numAffectedRows } = await sql`delete from bus_pending
      where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
        and sequence in ${this.#options.dialect.list(sequences)}`.execute(tx);
    return (numAffectedRows ?? 0n) > 0n;
  }
}
