import { deadLetterStream } from '#contract/bus/dead-letter';
import type { StreamDefinition } from '#contract/bus/stream';
import type { Environment } from '#contract/config/config';
import { isLoopback } from '#contract/config/loopback';
import type { Finding } from '#contract/surface/finding';
import { isBusOn, streamsFor } from '../../bus/create-bus.ts';
import { type FoundStream, type KeptOutbox, readKeptBus } from '../../bus/doctor/kept-bus.ts';
import { type NatsState, readNats } from '../../bus/doctor/nats-state.ts';
import { parseServers } from '../../bus/nats/server-url.ts';
import { isAtLeast } from '../../bus/nats/server-version.ts';
import { type NatsSettings, natsSettings } from '../../bus/nats-settings.ts';
import { readConfiguration } from '../../process/configuration.ts';
import { readDatabaseUrl } from '../../store/database-url.ts';
import { counted } from '../counted.ts';

/** Messages behind which a consumer is worth a word. */
const manyWaiting = 10_000;
/** Time after which an event should have left the outbox. */
const outboxMs = 60_000;
/** What older servers than this one do not know, the bus does without. */
const modern = [2, 10] as const;

/** Check the event bus alone, beside the server that may be running; nothing is changed. */
export async function* runBusChecks(env: Environment): AsyncGenerator<Finding> {
  const { config } = readConfiguration(env);
  if (!isBusOn(config)) {
    const text = 'event bus: off; this server publishes nothing and offers no tools for it';
    yield { kind: 'ok', text, fix: 'to switch it on, set SERVICE_ENABLE_BUS=1' };
    return;
  }
  const declared = streamsFor(config.nodeEnv === 'production');
  const nats = natsSettings(config);
  const databaseUrl = readDatabaseUrl(config.databaseUrl);
  const place = databaseUrl === undefined ? `the store in ${config.dataDir}` : 'PostgreSQL';
  yield { kind: 'ok', text: `event bus: in ${nats === undefined ? place : hostsOf(nats)}` };
  if (!config.surfaces.bus.enabled) {
    const text = 'agents get no tools for the bus';
    yield { kind: 'advice', text, fix: 'set SERVICE_ENABLE_BUS=1 if they should' };
  }
  const kept = await readKeptBus(config.dataDir, databaseUrl).catch((error: unknown) => error);
  if (kept instanceof Error) {
    const text = `the store cannot be read: ${kept.message}`;
    yield { kind: 'problem', text, fix: 'check SERVICE_DATA_DIR or SERVICE_DATABASE_URL' };
    return;
  }
  const known = kept as Awaited<ReturnType<typeof readKeptBus>>;
  yield* nats === undefined
    ? checkStreams(declared, known?.streams ?? [])
    : checkNats(nats, declared, known?.streams ?? []);
  yield* checkOutbox(
    known?.outbox ?? { count: 0, oldestAt: undefined, refused: [] },
    nats !== undefined,
  );
}

async function* checkNats(
  nats: NatsSettings,
  declared: readonly StreamDefinition[],
  left: readonly FoundStream[],
): AsyncGenerator<Finding> {
  yield* checkSettings(nats);
  let state: NatsState;
  try {
    state = await readNats(nats, declared);
  } catch (error) {
    yield {
      kind: 'problem',
      text: `NATS cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      fix: 'check SERVICE_BUS_URL, the account in it or in SERVICE_BUS_CREDENTIALS_FILE, and the network; until then events wait in the outbox',
    };
    return;
  }
  yield { kind: 'ok', text: `NATS ${state.version} answers` };
  if (!isAtLeast(state.version, ...modern)) {
    yield {
      kind: 'advice',
      text: `NATS ${state.version} reads several filters one by one, and its streams begin with 1 after a move`,
      fix: `update it to ${modern.join('.')} or later when it suits you`,
    };
  }
  if (state.refusal !== undefined) {
    yield {
      kind: 'problem',
      text: `the account cannot use JetStream: ${state.refusal}`,
      fix: 'switch it on (jetstream { store_dir: ... }) and give the account the permissions of docs/bus.md',
    };
    return;
  }
  yield* checkStreams(declared, state.streams);
  for (const { name, differences } of state.streams) {
    if (differences.length === 0) continue;
    yield {
      kind: 'problem',
      text: `the stream ${name} is not as declared: ${differences.join(', ')}`,
      fix: 'the server brings it to that when it starts; where NATS refuses that, as with storage, move its messages away and delete it',
    };
  }
  const messages = left.reduce((sum, stream) => sum + stream.messages, 0);
  if (messages > 0) {
    yield {
      kind: 'advice',
      text: `the store still has ${counted(messages, 'message')} of the time before NATS`,
      fix: 'stop the server and run "agent-tool-server bus move --to URL", or leave them',
    };
  }
}

function* checkSettings(nats: NatsSettings): Generator<Finding> {
  if (!nats.isPersistent) {
    yield {
      kind: 'advice',
      text: 'NATS keeps the streams in memory: they are gone when it restarts',
      fix: 'set SERVICE_BUS_PERSISTENT=1',
    };
  }
  const isOpen = parseServers(nats.url).some(
    ({ protocol, hostname }) => protocol === 'nats:' && !isLoopback(hostname),
  );
  if (isOpen && nats.certificateAuthority === undefined) {
    yield {
      kind: 'advice',
      text: 'what goes to NATS is not encrypted',
      fix: 'use tls:// unless the network between them is yours alone',
    };
  }
}

function* checkStreams(
  declared: readonly StreamDefinition[],
  found: readonly FoundStream[],
): Generator<Finding> {
  for (const { name } of declared) {
    const stream = found.find((each) => each.name === name);
    if (stream === undefined) {
      yield { kind: 'ok', text: `${name}: not there yet; the first use makes it` };
      continue;
    }
    const { messages, bytes, consumers } = stream;
    yield {
      kind: 'ok',
      text: `${name}: ${counted(messages, 'message')}, ${counted(bytes, 'byte')}`,
    };
    for (const { name: consumer, waiting, pending } of consumers) {
      const text = `${name}, consumer ${consumer}: ${waiting} behind, ${pending} being handled`;
      yield waiting < manyWaiting
        ? { kind: 'ok', text }
        : { kind: 'advice', text, fix: 'see whether it runs, and whether it keeps up' };
    }
    if (name !== deadLetterStream || messages === 0) continue;
    yield {
      kind: 'advice',
      text: `${counted(messages, 'event')} could not be handled`,
      fix: 'look at them with the tool bus_dead_letters, and replay or discard each',
    };
  }
}

function* checkOutbox(
  { count, oldestAt, refused }: KeptOutbox,
  isNats: boolean,
): Generator<Finding> {
  const ageMs = oldestAt === undefined ? 0 : Date.now() - oldestAt;
  if (count === 0) yield { kind: 'ok', text: 'outbox: empty' };
  else {
    const text = `outbox: ${counted(count, 'event')}, the oldest for ${Math.round(ageMs / 1000)} s`;
    const fix = isNats
      ? 'they are published when NATS can be reached and the server runs'
      : 'they are published when the server runs';
    yield ageMs < outboxMs ? { kind: 'ok', text } : { kind: 'problem', text, fix };
  }
  for (const { reason, count: alike } of refused) {
    yield {
      kind: 'problem',
      text: `outbox: ${counted(alike, 'event')} set aside: ${reason}`,
      fix: 'mend what the reason says (max_payload of NATS, or the version of this server), and restart the server: it tries them again',
    };
  }
}

/** Without the account. */
function hostsOf({ url }: NatsSettings): string {
  return `NATS at ${parseServers(url)
    .map(({ protocol, host }) => `${protocol}//${host}`)
    .join(', ')}`;
}
