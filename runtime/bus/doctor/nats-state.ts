import type { ConsumerInfo } from '@nats-io/jetstream';
import type { StreamDefinition } from '#contract/bus/stream';
import { closeConnection } from '../nats/close-connection.ts';
import { connectOnce } from '../nats/connect-once.ts';
import type { Link } from '../nats/nats-connection.ts';
import { streamDifferences } from '../nats/stream-config.ts';
import type { NatsSettings } from '../nats-settings.ts';
import type { FoundStream } from './kept-bus.ts';

/** A declared stream at NATS. */
export interface NatsStream extends FoundStream {
  /** What is not as it is declared, each in a few words. */
  readonly differences: readonly string[];
}

/** NATS as an account sees it. */
export interface NatsState {
  readonly version: string;
  /** Why the account cannot use JetStream, where it cannot. */
  readonly refusal?: string;
  /** Those of the declared ones that are there. */
  readonly streams: readonly NatsStream[];
}

/**
 * Ask NATS how it is, and what it has of the declared streams. Nothing is made or changed.
 *
 * @throws what the client throws where the server cannot be reached, or refuses
 */
export async function readNats(
  settings: NatsSettings,
  declared: readonly StreamDefinition[],
): Promise<NatsState> {
  const link = await connectOnce(settings);
  try {
    const version = link.connection.info?.version ?? 'unknown';
    try {
      await link.manager.getAccountInfo();
    } catch (error) {
      const refusal = error instanceof Error ? error.message : String(error);
      return { version, refusal, streams: [] };
    }
    const streams = await Promise.all(declared.map((each) => find(link, each, settings)));
    return { version, streams: streams.flatMap((each) => each ?? []) };
  } finally {
    await closeConnection(link.connection);
  }
}

async function find(
  { manager }: Link,
  definition: StreamDefinition,
  settings: NatsSettings,
): Promise<NatsStream | undefined> {
  const differences = await streamDifferences(manager, definition, settings);
  if (differences === undefined) return undefined;
  const { name } = definition;
  const { state } = await manager.streams.info(name);
  const consumers: ConsumerInfo[] = [];
  for await (const each of manager.consumers.list(name)) consumers.push(each);
  return {
    ...{ name, differences, messages: state.messages, bytes: state.bytes },
    consumers: consumers
      .filter(({ config }) => config.durable_name)
      .map(({ name: consumer, delivered, num_ack_pending, num_pending }) => ({
        ...{ name: consumer, delivered: delivered.stream_seq },
        ...{ pending: num_ack_pending, waiting: num_pending },
      })),
  };
}
