import { type KV, type KvEntry, Kvm } from '@nats-io/kv';
import { busConflict, busInvalid, busPayloadTooLarge } from '#contract/bus/faults';
import type { BucketDefinition, KeyValue, KeyValueChange } from '#contract/bus/key-value';
import { checkFilter, checkSubject } from '#contract/bus/subject';
import type { Link } from './nats-connection.ts';
import { refusal, unavailable } from './nats-faults.ts';
import type { StreamKeeping } from './stream-config.ts';

/** Bytes of one value. */
const mostValueBytes = 262_144;

/** State in a bucket of JetStream. It is made with its first use. */
export class NatsBucket implements KeyValue {
  readonly #definition: BucketDefinition;
  readonly #keeping: StreamKeeping;
  readonly #connected: () => Promise<Link>;
  #open: { readonly link: Link; readonly store: Promise<KV> } | undefined;

  constructor(
    definition: BucketDefinition,
    keeping: StreamKeeping,
    connected: () => Promise<Link>,
  ) {
    this.#definition = definition;
    this.#keeping = keeping;
    this.#connected = connected;
  }

  async get(key: string) {
    const entry = await this.#ask(key, (store) => store.get(key));
    return entry?.operation === 'PUT' ? entryOf(entry) : undefined;
  }

  put(key: string, value: string): Promise<number> {
    return this.#write(key, value, -1, (store) => store.put(key, value));
  }

  create(key: string, value: string): Promise<number> {
    return this.#write(key, value, 0, (store) => store.create(key, value));
  }

  async update(key: string, value: string, revision: number): Promise<number> {
    if (!(revision > 0)) throw busInvalid('revision', 'a number above 0', String(revision));
    return this.#write(key, value, revision, async (store) => {
      // The mark of a deletion is a revision like any other to the server.
      const before = await store.get(key, { revision });
      if (before !== null && before.operation !== 'PUT') throw busConflict(key, revision, revision);
      return store.update(key, value, revision);
    });
  }

  async delete(key: string, revision?: number): Promise<void> {
    const options = revision === undefined ? {} : { previousSeq: revision };
    await this.#write(key, '', revision ?? -1, (store) => store.delete(key, options));
  }

  async history(key: string): Promise<readonly KeyValueChange[]> {
    const changes = await this.#ask(key, (store) => store.history({ key }));
    const all: KeyValueChange[] = [];
    for await (const entry of changes) all.push(changeOf(entry));
    return all;
  }

  async keys(filter = '>'): Promise<readonly string[]> {
    checkFilter(filter);
    const keys = await this.#ask(undefined, (store) => store.keys(filter));
    const all: string[] = [];
    for await (const key of keys) all.push(key);
    return all;
  }

  async *watch(signal: AbortSignal, filter = '>'): AsyncIterable<KeyValueChange> {
    checkFilter(filter);
    if (signal.aborted) return;
    // The client counts the last one that is there to what comes later.
    const { streamInfo } = await this.#ask(undefined, (store) => store.status());
    const changes = await this.#ask(undefined, (store) => store.watch({ key: filter }));
    const stop = () => changes.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const entry of changes) {
        if (signal.aborted) return;
        const change = changeOf(entry);
        if (entry.revision > streamInfo.state.last_seq || change.kind === 'put') yield change;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      changes.stop();
    }
  }

  async #write<T>(
    key: string,
    value: string,
    expected: number,
    write: (store: KV) => Promise<T>,
  ): Promise<T> {
    const bytes = Buffer.byteLength(value) + key.length;
    const { name } = this.#definition;
    if (bytes > mostValueBytes) throw busPayloadTooLarge(`KV_${name}`, bytes, mostValueBytes);
    checkSubject(key);
    const store = await this.#store();
    try {
      return await write(store);
    } catch (error) {
      throw refusal(error, { stream: `KV_${name}`, subject: key, expected });
    }
  }

  async #ask<T>(key: string | undefined, ask: (store: KV) => Promise<T>): Promise<T> {
    if (key !== undefined) checkSubject(key);
    const store = await this.#store();
    return ask(store).catch((error) => Promise.reject(unavailable(error)));
  }

  /** Make the bucket where it is not there; one that is there gets the limits of its definition. */
  async #make({ client, manager }: Link): Promise<KV> {
    const { name, history, maxBytes } = this.#definition;
    const store = await new Kvm(client).create(name, {
      history,
      max_bytes: maxBytes,
      maxValueSize: mostValueBytes,
      replicas: this.#keeping.replicas,
      storage: this.#keeping.isPersistent ? 'file' : 'memory',
    } as Parameters<Kvm['create']>[1]);
    const { config } = await manager.streams.info(`KV_${name}`);
    if (config.max_msgs_per_subject !== history || config.max_bytes !== maxBytes) {
      const limits = { max_msgs_per_subject: history, max_bytes: maxBytes };
      await manager.streams.update(config.name, { ...config, ...limits });
    }
    return store;
  }

  async #store(): Promise<KV> {
    const link = await this.#connected();
    if (this.#open?.link !== link) {
      const store = this.#make(link);
      this.#open = { link, store };
      store.catch(() => {
        this.#open = undefined;
      });
    }
    return this.#open.store.catch((error) => Promise.reject(unavailable(error)));
  }
}

function entryOf(entry: KvEntry) {
  const { key, revision, created } = entry;
  return { key, value: entry.string(), revision, storedAt: created.getTime() };
}

function changeOf(entry: KvEntry): KeyValueChange {
  if (entry.operation === 'PUT') return { kind: 'put', ...entryOf(entry) };
  return { kind: 'delete', key: entry.key, revision: entry.revision };
}
