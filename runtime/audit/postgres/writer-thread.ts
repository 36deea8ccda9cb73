import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { AuditKey } from '#contract/house/audit';
import { UnreadableAnchor } from '../anchors/anchor.ts';
import type { KeptNote } from '../anchors/outside.ts';
import { KeyReplaced, KeyRing, type Seeds } from '../keys/key-ring.ts';
import { eventsOf } from '../log/event-batch.ts';
import type { WriterStart } from '../log/log-place.ts';
import { RolledBack } from '../log/log-state.ts';
import type { FromWriter, ToWriter } from '../log/writer-messages.ts';
import type { TreeEdge, TreeHead } from '../verify/verify.ts';
import { type Connection, connect, passes, reasonOf } from './connection.ts';
import { checkStoredLog } from './log-end.ts';
import { type Batch, PostgresLogWriter, Succeeded } from './log-writer.ts';
import type { KnownLog } from './logs.ts';

/** Entries of one commit at most: a bound for what one failure refuses. */
const mostEntries = 1000;
/** How often a replica looks what there is to sign, also what others have added. */
const lookEveryMs = 1000;
/** How long after the database went away events still wait for it. */
const patienceMs = 10_000;
/** Later it is tried once in this time. */
const retryAfterMs = 1000;

/** What the writer thread is started with. */
export interface PostgresWriterData extends WriterStart {
  readonly url: string;
  readonly log: KnownLog;
  readonly seeds: Seeds;
  /** Names this process in `audit_batch`. */
  readonly replica: string;
}

type Append = Extract<ToWriter, { kind: 'append' }>;
type Task = ToWriter | { readonly kind: 'look' };

interface Opened {
  readonly connection: Connection;
  readonly writer: PostgresLogWriter;
}

/** The loop of one replica's writer: take what waits, commit it, answer; sign once a second. */
class WriterLoop {
  readonly #port: MessagePort;
  readonly #data: PostgresWriterData;
  readonly #ring: KeyRing;
  readonly #tasks: Task[] = [];
  #running = false;
  #opened: Opened | undefined;
  /** Why this process may not write the log any more, whatever becomes of the database. */
  #final = false;
  #open = false;
  /** Why it is not open, as was said last. */
  #reason: string | undefined;
  /** Still to be compared with the log. */
  #outside: readonly KeptNote[];
  #acknowledged: TreeHead = { size: 0, root: Buffer.alloc(0) };
  #keys: readonly AuditKey[];
  #signed = 0;
  #number = 0;
  #downSince: number | undefined;
  #failedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Nothing is done any more: what came behind the end would keep the thread alive. */
  #closed = false;

  constructor(port: MessagePort, data: PostgresWriterData) {
    this.#port = port;
    this.#data = data;
    this.#ring = new KeyRing(data.log.identity.origin, data.seeds);
    this.#keys = data.log.identity.keys;
    this.#outside = data.outside;
  }

  /** What comes meanwhile waits until it is known whether there is a connection. */
  async start(): Promise<void> {
    this.#running = true;
    try {
      await this.#connected();
      this.#postOpen();
    } catch (error) {
      await this.#fail(error);
    }
    this.#lookSoon();
    await this.#run();
  }

  receive(task: Task): void {
    this.#tasks.push(task);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      if (this.#closed) return;
      if (task.kind === 'append') await this.#append(this.#withCompany(task));
      else await this.#handle(task);
    }
    this.#running = false;
  }

  /** What waits behind an append goes into the same commit. */
  #withCompany(first: Append): Append[] {
    const appends = [first];
    let { count } = first;
    for (let next = this.#tasks[0]; next?.kind === 'append'; next = this.#tasks[0]) {
      count += next.count;
      if (count > mostEntries) break;
      appends.push(next);
      this.#tasks.shift();
    }
    return appends;
  }

  async #handle(task: Exclude<Task, Append>): Promise<void> {
    switch (task.kind) {
      case 'anchored':
        await this.#attempt(({ writer }) => writer.noteAnchored(task.anchored));
        return;
      case 'sign':
        await this.#attempt(({ writer }) => this.#sign(writer));
        this.#post({ kind: 'signed', id: task.id });
        return;
      case 'look':
        await this.#attempt(({ writer }) => this.#look(writer));
        this.#lookSoon();
        return;
      case 'close':
        this.#closed = true;
        clearTimeout(this.#timer);
        await this.#letGo();
        this.#post({ kind: 'closed' });
        this.#port.close();
    }
  }

  async #append(messages: readonly Append[]): Promise<void> {
    const batch: Batch = {
      number: ++this.#number,
      events: messages.flatMap(({ at, events }) =>
        Array.from(eventsOf(events), (parts) => ({ at, parts })),
      ),
      inDoubt: false,
    };
    for (;;) {
      try {
        if (this.#isHopeless()) break;
        const { writer } = await this.#connected();
        const { written, edge } = await writer.append(batch);
        this.#acknowledge(edge);
        this.#post({ kind: 'appended', ...written });
        this.#recovered();
        return;
      } catch (error) {
        await this.#letGo();
        this.#downSince ??= performance.now();
        const waits = passes(error) && performance.now() < this.#downSince + patienceMs;
        if (!waits) {
          await this.#fail(error);
          break;
        }
        await sleep(100);
      }
    }
    this.#post({ kind: 'refused', count: batch.events.length, unknown: batch.inDoubt });
  }

  /** Nothing is tried where nothing can come of it, and little where the last try was just now. */
  #isHopeless(): boolean {
    if (this.#final) return true;
    const now = performance.now();
    const tooLong = this.#downSince !== undefined && now > this.#downSince + patienceMs;
    return tooLong && now < this.#failedAt + retryAfterMs;
  }

  /** Do it, on a new connection when the first one turns out to be broken. */
  async #attempt(act: (opened: Opened) => Promise<void>): Promise<void> {
    if (this.#final) return;
    for (let tries = 1; ; tries++) {
      try {
        await act(await this.#connected());
        this.#recovered();
        return;
      } catch (error) {
        await this.#letGo();
        if (tries < 2 && passes(error)) continue;
        await this.#fail(error);
        return;
      }
    }
  }

  async #sign(writer: PostgresLogWriter): Promise<void> {
    const checkpoint = await writer.sign();
    if (checkpoint === undefined || checkpoint.size === this.#signed) return;
    this.#signed = checkpoint.size;
    this.#post({ kind: 'checkpoint', checkpoint });
  }

  async #look(writer: PostgresLogWriter): Promise<void> {
    const { size, checkpoint, due, successor, vkey } = await writer.look();
    if (successor !== undefined) throw new Succeeded(`it is continued as ${successor}`);
    if (vkey !== this.#ring.vkey) throw new KeyReplaced(vkey, this.#ring.vkey);
    if (this.#open) this.#post({ kind: 'state', state: 'open', size });
    if (due) await this.#sign(writer);
    else if (checkpoint !== undefined && checkpoint.size !== this.#signed) {
      this.#signed = checkpoint.size;
      this.#post({ kind: 'checkpoint', checkpoint });
    }
  }

  /** The connection; a new one sees the end of the log checked before anything is written. */
  async #connected(): Promise<Opened> {
    if (this.#opened !== undefined) return this.#opened;
    const { url, log, replica } = this.#data;
    const connection = await connect(url);
    try {
      const { vkey } = this.#ring;
      const known = { outside: this.#outside, acknowledged: this.#acknowledged, vkey };
      const { edge, keys } = await checkStoredLog(connection, log.id, known);
      this.#outside = [];
      this.#keys = keys;
      this.#acknowledge(edge);
      const writer = new PostgresLogWriter(connection, log, replica, this.#ring);
      if (keys[0]?.vkey !== vkey) await this.#handOver(writer);
      else if (edge.size === 0) await this.#begin(writer);
      this.#opened = { connection, writer };
      return this.#opened;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Write the first entry, unless another replica has. */
  async #begin(writer: PostgresLogWriter): Promise<void> {
    const event = { parts: this.#data.opening, at: this.#data.at };
    const batch = { number: 0, events: [event], opening: true, inDoubt: false };
    this.#acknowledge((await writer.append(batch)).edge);
  }

  /** Rotate to the key of this process, unless another replica has. */
  async #handOver(writer: PostgresLogWriter): Promise<void> {
    const { opening, rotation } = this.#data;
    if (rotation === undefined) throw new KeyReplaced(this.#keys[0]?.vkey, this.#ring.vkey);
    const { edge, keys, checkpoint } = await writer.rotate({ opening, rotation });
    this.#keys = keys;
    this.#acknowledge(edge);
    if (checkpoint !== undefined) this.#post({ kind: 'checkpoint', checkpoint });
  }

  #acknowledge(edge: TreeEdge): void {
    if (edge.size > 0) this.#acknowledged = { size: edge.size, root: edge.root() };
  }

  async #letGo(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.connection.close();
  }

  async #fail(error: unknown): Promise<void> {
    await this.#letGo();
    const wasOpen = this.#open;
    this.#open = false;
    this.#downSince ??= performance.now();
    this.#failedAt = performance.now();
    if (isFinal(error)) this.#final = true;
    const state = error instanceof RolledBack ? 'rolled_back' : 'failed';
    const reason = reasonOf(error);
    if (!wasOpen && reason === this.#reason) return;
    this.#reason = reason;
    this.#post({ kind: 'state', state, reason, size: this.#acknowledged.size });
  }

  #recovered(): void {
    this.#downSince = undefined;
    if (this.#open) return;
    this.#postOpen();
  }

  #postOpen(): void {
    this.#open = true;
    this.#reason = undefined;
    const { size } = this.#acknowledged;
    this.#post({ kind: 'state', state: 'open', size, keys: this.#keys });
  }

  #lookSoon(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.receive({ kind: 'look' }), lookEveryMs);
  }

  #post(message: FromWriter): void {
    this.#port.postMessage(message);
  }
}

function isFinal(error: unknown): boolean {
  return [RolledBack, UnreadableAnchor, Succeeded, KeyReplaced].some(
    (kind) => error instanceof kind,
  );
}

if (parentPort !== null) {
  // Started by the log alone, with the data of this type.
  const loop = new WriterLoop(parentPort, workerData as PostgresWriterData);
  parentPort.on('message', (message: ToWriter) => loop.receive(message));
  await loop.start();
}
