import { type RawBuilder, sql } from 'kysely';
import type { ConsumerDefinition } from '#contract/bus/consumer';
import { deadLetterOf } from '#contract/bus/dead-letter';
import type { StreamDefinition } from '#contract/bus/stream';
import { matches } from '#contract/bus/subject';
import { changed, rowsOf, type Statements } from '#contract/house/procedures';
import type { BusMessageRow } from '../../../generated/tables.ts';
import { append } from './append.ts';
import type { Dialect } from './dialect.ts';
import { fitting, messagesAt, mostScanned, placesFrom } from './message-places.ts';
import { messageOf, ownTenant, rowOf } from './message-row.ts';

/** A message in the hands of a process. */
export interface ClaimedRow {
  readonly row: BusMessageRow;
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
  readonly claimed: readonly ClaimedRow[];
  /** More may be had at once. */
  readonly more: boolean;
  /** Milliseconds until something is due again, as far as it is known now. */
  readonly dueInMs: number | undefined;
  /** Messages that have become dead letters. */
  readonly dead: number;
}

export interface StepArgument {
  readonly consumer: Required<ConsumerDefinition>;
  /** Of this process: what it had is free again when it has ended. */
  readonly owner: string;
  readonly deadLetters: StreamDefinition;
  readonly verdicts: readonly Verdict[];
  /** Messages to claim at most. */
  readonly room: number;
}

interface Pending {
  readonly sequence: number;
  readonly deliveries: number;
}

type At = Omit<StepArgument, 'verdicts' | 'room'> & {
  readonly dialect: Dialect;
  readonly now: number;
};

/** Write down what became of deliveries, and claim at most so many more. */
export function* stepOf(
  { verdicts, room, ...given }: StepArgument,
  dialect: Dialect,
): Statements<Step> {
  const { stream, name, maxAckPending, ackWaitMs } = given.consumer;
  const [standing] = yield* rowsOf(sql<{ delivered: number; now: number }>`
    select delivered, ${dialect.now} as now from bus_consumer
    where tenant = ${ownTenant} and stream = ${stream} and name = ${name} ${dialect.lock}`);
  if (standing === undefined) return { claimed: [], more: false, dueInMs: undefined, dead: 0 };
  const { now } = standing;
  const at: At = { ...given, dialect, now };
  const buried = yield* settle(at, verdicts);
  const again = yield* claimDue(at, room);
  const { pending, firstDue } = yield* count(at);
  const free = Math.min(room - again.claimed.length, maxAckPending - pending);
  const next = yield* claimNext(at, standing.delivered, free);
  const claimed = [...again.claimed, ...next.claimed];
  const due = Math.min(firstDue, claimed.length > 0 ? now + ackWaitMs : Infinity);
  return {
    claimed,
    // Whoever has acknowledged may have room again.
    more: next.more || again.claimed.length === room || room === 0,
    dueInMs: Number.isFinite(due) ? Math.max(0, due - now) : undefined,
    dead: buried + again.dead,
  };
}

/** Gives how many messages have become dead letters. */
function* settle(at: At, verdicts: readonly Verdict[]): Statements<number> {
  const { stream, name, maxDeliver, ackWaitMs } = at.consumer;
  yield* forget(
    at,
    verdicts.flatMap((each) => (each.kind === 'ack' ? [each.sequence] : [])),
  );
  let dead = 0;
  for (const verdict of verdicts) {
    const { kind, sequence, deliveries } = verdict;
    if (kind === 'ack') continue;
    const isLast = kind === 'nak' && deliveries >= maxDeliver;
    if (kind === 'term' || isLast) {
      const reason = kind === 'term' ? verdict.reason : unhandled(deliveries);
      dead += yield* bury(at, { sequence, deliveries }, reason);
      continue;
    }
    const given = kind === 'release' ? deliveries - 1 : deliveries;
    const dueAt = { nak: 0, release: 0, working: ackWaitMs }[kind];
    const delay = kind === 'nak' ? verdict.delayMs : dueAt;
    // Whoever has it by now is not disturbed.
    yield sql`update bus_pending set due_at = ${at.now + Math.round(delay)}, deliveries = ${given}
      where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
        and sequence = ${sequence} and deliveries = ${deliveries}`;
  }
  return dead;
}

/** Claim what was delivered before and is due again; what has no deliveries left is dead. */
function* claimDue(
  at: At,
  room: number,
): Statements<{ claimed: readonly ClaimedRow[]; dead: number }> {
  const { dialect, owner, now } = at;
  const { stream, name, maxDeliver, ackWaitMs } = at.consumer;
  if (room <= 0) return { claimed: [], dead: 0 };
  const rows = yield* rowsOf(sql<Pending>`select sequence, deliveries from bus_pending
    where stream = ${stream} and consumer = ${name} and due_at <= ${now}
    order by sequence limit ${room}`);
  if (rows.length === 0) return { claimed: [], dead: 0 };
  let dead = 0;
  for (const row of rows) {
    if (row.deliveries >= maxDeliver) dead += yield* bury(at, row, unhandled(row.deliveries));
  }
  const alive = rows.filter(({ deliveries }) => deliveries < maxDeliver);
  const messages = yield* some(alive, () => messagesAt(stream, alive, dialect));
  const there = new Set(messages.map(({ sequence }) => sequence));
  yield* forget(
    at,
    alive.flatMap(({ sequence }) => (there.has(sequence) ? [] : [sequence])),
  );
  if (there.size > 0) {
    yield sql`update bus_pending
      set deliveries = deliveries + 1, due_at = ${now + ackWaitMs}, owner = ${owner}
      where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
        and sequence in ${dialect.list([...there])}`;
  }
  const before = new Map(alive.map(({ sequence, deliveries }) => [sequence, deliveries]));
  const claimed = messages.map((row) => ({
    row,
    deliveries: (before.get(row.sequence) ?? 0) + 1,
  }));
  return { claimed, dead };
}

function* count({ consumer }: At): Statements<{ pending: number; firstDue: number }> {
  const { stream, name } = consumer;
  const [row] = yield* rowsOf(sql<{ pending: number; due: number | null }>`
    select count(*) as pending, min(due_at) as due from bus_pending
    where stream = ${stream} and consumer = ${name}`);
  return { pending: row?.pending ?? 0, firstDue: row?.due ?? Infinity };
}

/** Claim what was never delivered. */
function* claimNext(
  { consumer, dialect, owner, now }: At,
  delivered: number,
  free: number,
): Statements<{ claimed: readonly ClaimedRow[]; more: boolean }> {
  const { stream, name, filter, ackWaitMs } = consumer;
  if (free <= 0) return { claimed: [], more: false };
  const scanned = yield* rowsOf(placesFrom({ stream, from: delivered + 1 }));
  if (scanned.length === 0) return { claimed: [], more: false };
  const wanted = scanned.filter(({ subject }) => matches(filter, subject));
  const taken = fitting(wanted, free);
  const isAll = taken.length === wanted.length;
  const last = (isAll ? scanned.at(-1) : taken.at(-1))?.sequence ?? delivered;
  yield sql`update bus_consumer set delivered = ${last}
    where tenant = ${ownTenant} and stream = ${stream} and name = ${name}`;
  if (taken.length > 0) {
    const places = taken.map(({ sequence }) => ({ sequence }));
    yield sql`insert into bus_pending
        (tenant, stream, consumer, sequence, deliveries, due_at, owner)
      select cast(${ownTenant} as text), cast(${stream} as text), cast(${name} as text), sequence, 1,
        cast(${now + ackWaitMs} as bigint), cast(${owner} as text)
      from ${dialect.rows(places, { sequence: 'integer' })}`;
  }
  const messages = yield* some(taken, () => messagesAt(stream, taken, dialect));
  const claimed = messages.map((row) => ({ row, deliveries: 1 }));
  // Less than a whole scan was the end of the stream.
  return { claimed, more: !isAll || scanned.length === mostScanned };
}

/** Copy a message to the dead letters and forget it; 1 where it was there. */
function* bury(at: At, row: Pending, reason: string): Statements<number> {
  const { dialect, deadLetters } = at;
  const { stream, name: consumer } = at.consumer;
  const [found] = yield* rowsOf(messagesAt(stream, [row], dialect));
  const wasThere = yield* forget(at, [row.sequence]);
  if (found === undefined || !wasThere) return 0;
  const { deliveries } = row;
  const letter = deadLetterOf(messageOf(found), { consumer, deliveries, reason });
  yield* append({ stream: deadLetters, rows: [rowOf(letter)] }, dialect);
  yield* dialect.notify('bus', deadLetters.name);
  return 1;
}

/** Whether one of them was there. */
function* forget({ consumer, dialect }: At, sequences: readonly number[]): Statements<boolean> {
  if (sequences.length === 0) return false;
  const { stream, name } = consumer;
  const gone = yield* changed(sql`delete from bus_pending
    where tenant = ${ownTenant} and stream = ${stream} and consumer = ${name}
      and sequence in ${dialect.list(sequences)}`);
  return gone > 0;
}

/** The rows of a query for these, and no query for none. */
function* some<Row>(
  wanted: readonly unknown[],
  query: () => RawBuilder<Row>,
): Statements<readonly Row[]> {
  return wanted.length === 0 ? [] : yield* rowsOf(query());
}

function unhandled(deliveries: number): string {
  return `not acknowledged after ${deliveries} deliveries`;
}
