import type { DatabaseSync } from 'node:sqlite';
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { requireSound } from '../../store/soundness.ts';
import { KeyRing } from '../keys/key-ring.ts';
import { eventsOf } from '../log/event-batch.ts';
import { checkAgainst, RolledBack } from '../log/log-state.ts';
import type {
  CosignedCheckpoint,
  FromWriter,
  ToWriter,
  WriterData,
} from '../log/writer-messages.ts';
import { rangeRoot } from '../tree/merkle.ts';
import { TileNodes } from '../tree/tile-nodes.ts';
import type { TreeHead } from '../verify/verify.ts';
import { LogReader } from './log-reader.ts';
import { LogWriter } from './log-writer.ts';
import { openForWriting } from './schema.ts';

/** Entries of one commit at most: a bound for what one failure refuses. */
const mostEntries = 1000;
const signEveryMs = 1000;
/** How long a log that could not be written is left alone before it is opened anew. */
const retryAfterMs = 1000;

type Append = Extract<ToWriter, { kind: 'append' }>;

/** The loop of the writer: take what waits, commit it, answer; sign once a second. */
class WriterLoop {
  readonly #port: MessagePort;
  readonly #data: WriterData;
  readonly #ring: KeyRing;
  #database: DatabaseSync | undefined;
  #writer: LogWriter | undefined;
  #final = false;
  #failedAt = 0;
  #acknowledged: TreeHead = { size: 0, root: Buffer.alloc(0) };
  #signDue: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, data: WriterData) {
    this.#port = port;
    this.#data = data;
    this.#ring = new KeyRing(data.identity.origin, data.seeds);
  }

  start(): void {
    try {
      const writer = this.#open();
      this.#checkAgainstOutside(writer);
      this.#handOver(writer);
      this.#acknowledge(writer);
      this.#postOpen(writer);
    } catch (error) {
      // Neither repairs itself: whoever runs the server has to look.
      this.#final = true;
      const size = this.#writer?.state.edge.size ?? 0;
      this.#writer = undefined;
      const state = error instanceof RolledBack ? 'rolled_back' : 'failed';
      this.#post({ kind: 'state', state, reason: messageOf(error), size });
    }
  }

  #checkAgainstOutside({ keys, state: { edge } }: LogWriter): void {
    if (this.#database === undefined) return;
    const stored = { size: edge.size, nodes: new TileNodes(this.#database) };
    // An older copy of the data does not know all keys.
    const vkeys = [this.#ring.vkey, ...keys.map(({ vkey }) => vkey)];
    checkAgainst(this.#data.outside, stored, vkeys.join('\n'));
  }

  #handOver(writer: LogWriter): void {
    const { handover } = this.#data;
    if (handover === undefined) return;
    this.#post({ kind: 'checkpoint', checkpoint: writer.rotate(handover, Date.now()) });
  }

  #postOpen({ keys, state: { edge } }: LogWriter): void {
    this.#post({ kind: 'state', state: 'open', size: edge.size, keys, newest: this.#newest() });
  }

  #newest(): CosignedCheckpoint | undefined {
    const reader = this.#database && new LogReader(this.#database);
    const checkpoint = reader?.newestCheckpoint();
    if (reader === undefined || checkpoint === undefined) return undefined;
    return { checkpoint, cosignatures: reader.cosignatures(checkpoint.size) };
  }

  /** Take `first` and all that waits behind it. */
  receive(first: ToWriter): void {
    let appends: Append[] = [];
    for (let message: ToWriter | undefined = first; message !== undefined; message = this.#next()) {
      if (message.kind === 'append') {
        appends.push(message);
        if (countOf(appends) < mostEntries) continue;
      }
      this.#append(appends);
      appends = [];
      if (message.kind !== 'append') this.#handle(message);
      this.#signWhenDue();
    }
    this.#append(appends);
    this.#signWhenDue();
  }

  #next(): ToWriter | undefined {
    // Only the log's own main thread holds the other end of this port.
    return receiveMessageOnPort(this.#port)?.message as ToWriter | undefined;
  }

  #handle(message: Exclude<ToWriter, Append>): void {
    if (message.kind === 'anchored') {
      this.#attempt((writer) => writer.noteAnchored(message.anchored));
      return;
    }
    this.#sign();
    if (message.kind === 'sign') {
      this.#post({ kind: 'signed', id: message.id });
      return;
    }
    this.#database?.close();
    this.#post({ kind: 'closed' });
    this.#port.close();
  }

  #append(messages: readonly Append[]): void {
    const batch = messages.flatMap(({ at, events }) =>
      eventsOf(events).map((parts) => ({ at, parts })),
    );
    for (let start = 0; start < batch.length; start += mostEntries) {
      const chunk = batch.slice(start, start + mostEntries);
      const written = this.#attempt((writer) => {
        const result = writer.append(chunk);
        this.#acknowledge(writer);
        return result;
      });
      if (written === undefined) this.#post({ kind: 'refused', count: chunk.length });
      else this.#post({ kind: 'appended', ...written });
      this.#scheduleSign();
    }
  }

  #acknowledge({ state: { edge } }: LogWriter): void {
    this.#acknowledged = { size: edge.size, root: edge.root() };
  }

  /** Do it, or give the database up: after a failed write nothing is known about its pages. */
  #attempt<T>(act: (writer: LogWriter) => T): T | undefined {
    const writer = this.#writer ?? this.#reopen();
    if (writer === undefined) return undefined;
    try {
      return act(writer);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    const size = this.#acknowledged.size;
    this.#writer = undefined;
    this.#failedAt = performance.now();
    try {
      this.#database?.close();
    } catch {
      // It is useless either way.
    }
    this.#database = undefined;
    this.#post({ kind: 'state', state: 'failed', reason: messageOf(error), size });
  }

  /** Open the log anew after a failure; every acknowledged entry has to be there. */
  #reopen(): LogWriter | undefined {
    if (this.#final || performance.now() - this.#failedAt < retryAfterMs) return undefined;
    try {
      const writer = this.#open();
      const { size, root } = this.#acknowledged;
      if (writer.state.edge.size < size || !this.#begins(size, root)) {
        throw new Error('entries that were acknowledged are gone');
      }
      this.#postOpen(writer);
      return writer;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #open(): LogWriter {
    this.#database = openForWriting(this.#data.path, this.#data.identity);
    // Once, at the start: where a write has failed, that is known to be the reason.
    if (this.#failedAt === 0) requireSound(this.#database);
    this.#writer = new LogWriter(this.#database, this.#ring);
    return this.#writer;
  }

  #begins(size: number, root: Uint8Array): boolean {
    if (size === 0 || this.#database === undefined) return size === 0;
    return Buffer.compare(rangeRoot(new TileNodes(this.#database), 0, size), root) === 0;
  }

  #scheduleSign(): void {
    if (this.#signDue !== undefined) return;
    this.#signDue = performance.now() + signEveryMs;
    this.#timer = setTimeout(() => this.#sign(), signEveryMs);
  }

  /** Under load no timer runs between the commits. */
  #signWhenDue(): void {
    if (this.#signDue !== undefined && performance.now() >= this.#signDue) this.#sign();
  }

  #sign(): void {
    clearTimeout(this.#timer);
    this.#signDue = undefined;
    if (this.#writer === undefined) return;
    const checkpoint = this.#attempt((writer) => writer.sign());
    if (checkpoint !== undefined) this.#post({ kind: 'checkpoint', checkpoint });
  }

  #post(message: FromWriter): void {
    this.#port.postMessage(message);
  }
}

function countOf(messages: readonly Append[]): number {
  return messages.reduce((sum, { count }) => sum + count, 0);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (parentPort !== null) {
  // Started by the log alone, with the data of this type.
  const loop = new WriterLoop(parentPort, workerData as WriterData);
  loop.start();
  parentPort.on('message', (message: ToWriter) => loop.receive(message));
}
