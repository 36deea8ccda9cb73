import { sql } from 'kysely';
import { busNotFound, busPayloadTooLarge } from '#contract/bus/faults';
import type { OutgoingMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { matches } from '#contract/bus/subject';
import { rowsOf, type Statements } from '#contract/house/procedures';
import { type Appended, append, type Batch } from './append.ts';
import type { Dialect } from './dialect.ts';
import { type MessageRow, rowOf } from './message-row.ts';

export interface ForwardArgument {
  readonly streams: readonly StreamDefinition[];
  /** Messages at most. */
  readonly limit: number;
}

/** How far the outbox was emptied. */
export interface Forwarded {
  /** Messages that do not wait in it any more. */
  readonly count: number;
  /** Streams that have something new. */
  readonly stored: readonly string[];
  /** Those of them that no stream takes. */
  readonly refused: readonly Refused[];
  /** Why the next one cannot leave now, and where it should go. */
  readonly stopped?: {
    readonly subject: string;
    readonly stream: string;
    readonly outcome: Appended | undefined;
  };
}

interface Refused {
  readonly tenant: string;
  readonly id: string;
  readonly reason: string;
}

interface OutboxRow {
  readonly tenant: string;
  readonly id: string;
  readonly message: string;
  readonly created_at: number;
}

/**
 * Move the oldest messages of the outbox to their streams, in their order: each leaves the outbox in
 * the transaction that stores it, so none is there twice. One that no stream takes is set aside, and
 * those behind it go on. Of several replicas, one waits for another.
 */
export function* forwardFrom(
  { streams, limit }: ForwardArgument,
  dialect: Dialect,
): Statements<Forwarded> {
  const waiting = yield* rowsOf(sql<OutboxRow>`
    select tenant, id, message, created_at from bus_outbox where refused is null
    order by position, id limit ${limit} ${dialect.lock}`);
  const messages = waiting.map(
    ({ message, created_at: mayBeThereSince }): OutgoingMessage => ({
      ...JSON.parse(message),
      mayBeThereSince,
    }),
  );
  const stored = new Set<string>();
  const refused: Refused[] = [];
  let count = 0;
  let stopped: Forwarded['stopped'];
  const setAside = function* (reason: string): Statements<void> {
    const { tenant = '', id = '' } = waiting[count] ?? {};
    yield sql`update bus_outbox set refused = ${reason} where tenant = ${tenant} and id = ${id}`;
    refused.push({ tenant, id, reason });
    count += 1;
  };
  const queue = runsOf(messages, streams);
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const { stream, rows, subject } = run;
    if (stream === undefined) {
      for (const row of rows)
        yield* setAside(busNotFound(`stream that takes ${row.subject}`).message);
      continue;
    }
    const outcomes = yield* append({ stream, rows, stops: true }, dialect);
    const wrong = outcomes.findIndex((outcome) => 'refused' in outcome);
    if (wrong !== 0) stored.add(stream.name);
    count += wrong < 0 ? rows.length : wrong;
    if (wrong < 0) continue;
    const outcome = outcomes[wrong];
    if (outcome === undefined || !('refused' in outcome) || outcome.refused !== 'size') {
      stopped = { subject: rows[wrong]?.subject ?? subject, stream: stream.name, outcome };
      break;
    }
    const { message } = busPayloadTooLarge(stream.name, outcome.bytes, stream.maxMessageBytes);
    yield* setAside(message);
    const behind = rows.slice(wrong + 1);
    if (behind.length > 0) queue.unshift({ ...run, rows: behind });
  }
  const keys = waiting
    .slice(0, count)
    .filter(({ tenant, id }) => !refused.some((each) => each.tenant === tenant && each.id === id))
    .map(({ tenant, id }) => ({ tenant, id }));
  if (keys.length > 0) {
    yield sql`delete from bus_outbox where (tenant, id) in (
      select tenant, id from ${dialect.rows(keys, { tenant: 'text', id: 'text' })})`;
  }
  for (const name of stored) yield* dialect.notify('bus', name);
  return { count, stored: [...stored], refused, ...(stopped && { stopped }) };
}

interface Run extends Omit<Batch, 'stream'> {
  readonly stream: StreamDefinition | undefined;
  readonly subject: string;
  readonly rows: MessageRow[];
}

/** Messages that follow each other and go to the same stream. */
function runsOf(messages: readonly OutgoingMessage[], streams: readonly StreamDefinition[]): Run[] {
  const runs: Run[] = [];
  for (const message of messages) {
    const { subject } = message;
    const stream = streams.find(({ subjects }) =>
      subjects.some((filter) => matches(filter, subject)),
    );
    const last = runs.at(-1);
    if (last !== undefined && last.stream === stream) last.rows.push(rowOf(message));
    else runs.push({ stream, subject, rows: [rowOf(message)] });
  }
  return runs;
}
