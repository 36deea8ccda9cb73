import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { StreamDefinition } from '#contract/bus/stream';
import { codes, isApiError } from './nats-faults.ts';

/** What JetStream counts besides the data, the headers and the subject that we count. */
const ownHeaderBytes = 1024;

/** How streams are kept at this server. */
export interface StreamKeeping {
  /** On the disk, or in memory only. */
  readonly isPersistent: boolean;
  /** Servers that hold a copy: 1, 3 or 5. */
  readonly replicas: number;
}

/**
 * Make a stream, or bring the one that is there to what is declared, and see to it that the server
 * has understood everything: older ones ignore what they do not know.
 *
 * @throws Error that names what is different
 */
export async function ensureStream(
  manager: JetStreamManager,
  definition: StreamDefinition,
  keeping: StreamKeeping,
): Promise<void> {
  const wanted = configOf(definition, keeping);
  const found = await currentConfig(manager, wanted.name);
  if (found !== undefined && differences(wanted, found).length === 0) return;
  const made = await (found === undefined ? add(manager, wanted) : update(manager, wanted));
  const different = differences(wanted, made);
  if (different.length === 0) return;
  throw new Error(`the stream ${wanted.name} is not as declared: ${different.join(', ')}`);
}

async function add(manager: JetStreamManager, wanted: Wanted): Promise<StreamConfig> {
  try {
    // The client writes into what it is given.
    return (await manager.streams.add({ ...wanted })).config;
  } catch (error) {
    if (!isApiError(error, codes.subjectsOverlap)) throw error;
    // An old server says so of the very stream that another replica has just made.
    const found = await currentConfig(manager, wanted.name);
    if (found === undefined) throw error;
    return differences(wanted, found).length === 0 ? found : update(manager, wanted);
  }
}

async function update(manager: JetStreamManager, wanted: Wanted): Promise<StreamConfig> {
  return (await manager.streams.update(wanted.name, { ...wanted })).config;
}

/** What of a stream is not as declared, each in a few words; nothing where it is not there. */
export async function streamDifferences(
  manager: JetStreamManager,
  definition: StreamDefinition,
  keeping: StreamKeeping,
): Promise<readonly string[] | undefined> {
  const found = await currentConfig(manager, definition.name);
  return found && differences(configOf(definition, keeping), found);
}

async function currentConfig(
  manager: JetStreamManager,
  name: string,
): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isApiError(error, codes.streamNotFound)) return undefined;
    throw error;
  }
}

type Wanted = Pick<StreamConfig, 'name'> & Partial<StreamConfig>;

function configOf(definition: StreamDefinition, keeping: StreamKeeping): Wanted {
  const { name, subjects, maxAgeMs, maxBytes, maxMessageBytes, duplicateWindowMs } = definition;
  return {
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    storage: keeping.isPersistent ? StorageType.File : StorageType.Memory,
    num_replicas: keeping.replicas,
    max_age: nanoseconds(maxAgeMs),
    max_bytes: maxBytes,
    max_msg_size: maxMessageBytes + ownHeaderBytes,
    max_msgs_per_subject: definition.maxPerSubject ?? -1,
    discard: definition.discard === 'old' ? DiscardPolicy.Old : DiscardPolicy.New,
    duplicate_window: nanoseconds(Math.min(duplicateWindowMs, maxAgeMs)),
    allow_direct: true,
  };
}

function differences(wanted: Wanted, found: StreamConfig): readonly string[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const other = found[key as keyof StreamConfig];
    const isSame = JSON.stringify(value) === JSON.stringify(other ?? value);
    const isMissing = other === undefined && value !== -1;
    return isSame && !isMissing
      ? []
      : [`${key} is ${JSON.stringify(other)}, and should be ${JSON.stringify(value)}`];
  });
}

function nanoseconds(ms: number): number {
  return ms * 1_000_000;
}
