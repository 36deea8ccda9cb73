import { sql } from 'kysely';
import { changed, rowsOf, type Statements } from '#contract/house/procedures';
import type { Store } from '#contract/house/store';
import { type Appended, append, type Batch } from './append.ts';
import { type Step, type StepArgument, stepOf } from './consumer-step.ts';
import { dialectOf } from './dialect.ts';
import { ownTenant } from './message-row.ts';
import { type ForwardArgument, type Forwarded, forwardFrom } from './outbox-forward.ts';
import { removeOlder, removeOne } from './retention.ts';

type Engine = Store['engine'];

export interface AppendArgument {
  readonly batches: readonly Batch[];
  /** Whether nothing is stored behind the first message that cannot be. */
  readonly stops: boolean;
}

/** Store messages in their streams, batch by batch; PostgreSQL tells all replicas. */
export function* appendMessages(
  { batches, stops }: AppendArgument,
  engine: Engine,
): Statements<readonly (readonly Appended[])[]> {
  const dialect = dialectOf(engine);
  const outcomes: (readonly Appended[])[] = [];
  for (const batch of batches) {
    const appended = yield* append({ ...batch, stops }, dialect);
    outcomes.push(appended);
    yield* dialect.notify('bus', batch.stream.name);
    if (stops && appended.some((each) => 'refused' in each)) break;
  }
  return outcomes;
}

/** Write down what became of deliveries, and claim more. */
export function stepConsumer(argument: StepArgument, engine: Engine): Statements<Step> {
  return stepOf(argument, dialectOf(engine));
}

/** Move messages from the outbox to their streams. */
export function forwardOutbox(argument: ForwardArgument, engine: Engine): Statements<Forwarded> {
  return forwardFrom(argument, dialectOf(engine));
}

/** Take one message out of a stream; false where it was not there. */
export function removeMessage({
  stream,
  sequence,
}: {
  readonly stream: string;
  readonly sequence: number;
}): Statements<boolean> {
  return removeOne(stream, sequence);
}

/** Remove what is older than its stream keeps it, some of it; gives how many. */
export function* removeExpired(
  { stream, maxAgeMs }: { readonly stream: string; readonly maxAgeMs: number },
  engine: Engine,
): Statements<number> {
  const [clock] = yield* rowsOf(sql<{ now: number }>`select ${dialectOf(engine).now} as now`);
  return yield* removeOlder(stream, (clock?.now ?? 0) - maxAgeMs);
}

/** Forget a durable consumer; false where it was not there. */
export function* removeConsumer({
  stream,
  name,
}: {
  readonly stream: string;
  readonly name: string;
}): Statements<boolean> {
  yield sql`delete from bus_pending where tenant = ${ownTenant} and stream = ${stream}
    and consumer = ${name}`;
  const gone = yield* changed(sql`delete from bus_consumer
    where tenant = ${ownTenant} and stream = ${stream} and name = ${name}`);
  return gone > 0;
}
