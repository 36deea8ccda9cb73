import { busConflict, busInvalid } from '#contract/bus/faults';
import type {
  BucketDefinition,
  KeyValue,
  KeyValueChange,
  KeyValueEntry,
} from '#contract/bus/key-value';
import type { OutgoingMessage, PublishReceipt, StoredMessage } from '#contract/bus/message';
import type { StreamDefinition } from '#contract/bus/stream';
import { checkFilter, checkSubject, matches } from '#contract/bus/subject';
import type { StreamReader } from './stream-reader.ts';

const operation = 'kv-operation';
const deleted = 'DEL';

/** Bytes of one value, with its key. */
const mostValueBytes = 262_144;
/** State is kept until it is deleted; what is deleted leaves no more than a mark. */
const forEverMs = Number.MAX_SAFE_INTEGER;

/** The stream behind a bucket: each key is a subject, each change a message. */
export function streamOfBucket({ name, history, maxBytes }: BucketDefinition): StreamDefinition {
  return {
    name: `KV_${name}`,
    subjects: [`KV.${name}.>`],
    maxAgeMs: forEverMs,
    maxBytes,
    maxMessageBytes: mostValueBytes,
    discard: 'new',
    duplicateWindowMs: 0,
    maxPerSubject: history,
  };
}

export interface BucketParts {
  readonly reader: StreamReader;
  publish(stream: StreamDefinition, message: OutgoingMessage): Promise<PublishReceipt>;
  follow(stream: string, from: number, signal: AbortSignal): AsyncIterable<StoredMessage>;
}

/** State in a stream of the embedded bus. */
export function createBucket(
  definition: BucketDefinition,
  { reader, publish, follow }: BucketParts,
): KeyValue {
  const stream = streamOfBucket(definition);
  const prefix = `KV.${definition.name}.`;

  const changeOf = (message: StoredMessage): KeyValueChange => {
    const key = message.subject.slice(prefix.length);
    const { sequence: revision, storedAt, data: value } = message;
    if (message.headers[operation] === deleted) return { kind: 'delete', key, revision };
    return { kind: 'put', key, value, revision, storedAt };
  };

  async function newest(key: string): Promise<KeyValueChange | undefined> {
    const message = await reader.newest(stream.name, prefix + checkSubject(key));
    return message && changeOf(message);
  }

  async function write(
    key: string,
    data: string,
    { expected, isDeletion = false }: { expected?: number; isDeletion?: boolean } = {},
  ): Promise<number> {
    const subject = prefix + checkSubject(key);
    const headers = isDeletion ? { [operation]: deleted } : {};
    const message = { subject, tenant: '', data, headers };
    const { sequence } = await publish(stream, {
      ...message,
      ...(expected !== undefined && { expectedLastSequence: expected }),
    });
    return sequence;
  }

  async function* watch(signal: AbortSignal, filter = '>'): AsyncIterable<KeyValueChange> {
    checkFilter(filter);
    const wanted = ({ subject }: StoredMessage) => matches(filter, subject.slice(prefix.length));
    const seen = await reader.lastSequence(stream.name);
    for (const message of await reader.newestOfAll(stream.name)) {
      if (signal.aborted) return;
      const change = changeOf(message);
      // What is younger comes with the others, in its order.
      if (message.sequence <= seen && wanted(message) && change.kind === 'put') yield change;
    }
    for await (const message of follow(stream.name, seen + 1, signal)) {
      if (wanted(message)) yield changeOf(message);
    }
  }

  return {
    async get(key) {
      const found = await newest(key);
      if (found?.kind !== 'put') return undefined;
      const { kind: _, ...entry } = found;
      return entry satisfies KeyValueEntry;
    },
    put: (key, value) => write(key, value),
    async create(key, value) {
      const found = await newest(key);
      if (found?.kind === 'put') throw busConflict(key, 0, found.revision);
      return write(key, value, { expected: found?.revision ?? 0 });
    },
    async update(key, value, revision) {
      if (!(revision > 0)) throw busInvalid('revision', 'a number above 0', String(revision));
      const found = await newest(key);
      if (found?.kind === 'delete') throw busConflict(key, revision, found.revision);
      return write(key, value, { expected: revision });
    },
    async delete(key, revision) {
      const expected = revision === undefined ? {} : { expected: revision };
      await write(key, '', { ...expected, isDeletion: true });
    },
    async history(key) {
      const messages = await reader.allOf(stream.name, prefix + checkSubject(key));
      return messages.map(changeOf);
    },
    async keys(filter = '>') {
      checkFilter(filter);
      const all = (await reader.newestOfAll(stream.name)).map(changeOf);
      return all.flatMap(({ kind, key }) => (kind === 'put' && matches(filter, key) ? [key] : []));
    },
    watch,
  };
}
