import { streamsFor } from '../../bus/create-bus.ts';
import { emptyOutbox } from '../../bus/move/empty-outbox.ts';
import { type MovedStream, moveBus } from '../../bus/move/move-bus.ts';
import { requireNoServer } from '../../bus/move/no-server.ts';
import { parseServers } from '../../bus/nats/server-url.ts';
import { type NatsSettings, natsSettings } from '../../bus/nats-settings.ts';
import { readConfiguration } from '../../process/configuration.ts';
import { StartError } from '../../process/start-error.ts';
import { readDatabaseUrl } from '../../store/database-url.ts';
import { createStore } from '../../store/index.ts';
import { type Command, exitCode, UsageError } from '../command.ts';
import { counted } from '../counted.ts';

/** Numbers that have moved are told in so many lines; there may be as many as there are messages. */
const mostTold = 10;

/** Move the event bus from the store to NATS. */
export const bus: Command = async ([action, ...rest], { to }) => {
  if (action !== 'move' || to === undefined || rest.length > 0) {
    throw new UsageError('bus takes one of: move --to URL');
  }
  const { config } = readConfiguration(process.env);
  const { surfaces } = config;
  const streams = streamsFor(config.nodeEnv === 'production');
  const target = { ...surfaces, bus: { ...surfaces.bus, url: checkedUrl(to) } };
  const nats = natsSettings({ ...config, surfaces: target }) as NatsSettings;
  if (!nats.isPersistent) {
    const why = 'without it, NATS would keep the events in memory, and they leave the store';
    throw new StartError(`bus move needs SERVICE_BUS_PERSISTENT=1: ${why}`);
  }
  const databaseUrl = readDatabaseUrl(config.databaseUrl);
  if (databaseUrl !== undefined) await requireNoServer(databaseUrl);
  const store = createStore({ dataDir: config.dataDir, databaseUrl });
  await store.open();
  try {
    await emptyOutbox(store, streams);
    let count = 0;
    for await (const moved of moveBus({ store, streams, nats })) {
      count += 1;
      for (const line of told(moved)) print(line);
    }
    print(
      count === 0
        ? 'there is nothing to move'
        : 'everything is in NATS, and nothing in the store any more; set SERVICE_BUS_URL to use it',
    );
    return exitCode.success;
  } catch (error) {
    throw explained(error);
  } finally {
    await store.close();
  }
};

function checkedUrl(url: string): string {
  try {
    parseServers(url);
    return url;
  } catch (error) {
    throw new UsageError(`--to must be ${(error as Error).message}`);
  }
}

function told({ name, messages, consumers, numbers }: MovedStream): readonly string[] {
  const same = numbers.every(({ shift }) => shift === 0);
  const shown = same ? [] : numbers.slice(0, mostTold);
  const left = same ? 0 : numbers.length - shown.length;
  return [
    `${name}: ${counted(messages, 'message')}${same ? ', with the same numbers' : ''}, ${counted(consumers, 'consumer')}`,
    ...shown.map(
      ({ first, last, shift }) =>
        `  ${first} to ${last} are ${first + shift} to ${last + shift} now`,
    ),
    ...(left > 0 ? [`  and so on, ${counted(left, 'more gap')}`] : []),
  ];
}

/** What NATS refuses, or the network on the way to it, is the operator's to put right. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const text = `not everything is moved: ${error.message}; the store still has all of it, and the same command goes on`;
  return new StartError(text, { cause: error });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
