import { Worker } from 'node:worker_threads';
import type { Durability, Procedure } from '#contract/house/procedures';
import { moduleFile } from '../process/module-file.ts';
import { explainFailure, storeUnavailable } from './failures.ts';
import type { AppliedMigration } from './migrate.ts';
import { TurnLock } from './turn-lock.ts';
import type { WorkerFailure, WorkerReply, WorkerRequest } from './worker-protocol.ts';

/** How long a writer waits for the writers before it. */
const writerPatienceMs = 10_000;

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

type Result = Extract<WorkerReply, { kind: 'result' }>;

/** The thread in which SQLite runs, so that nothing else waits for the disk. */
export class SqliteThread {
  /** It has nothing open yet. */
  #begun: Worker | undefined;
  #worker: Worker | undefined;
  readonly #pending = new Map<number, PromiseWithResolvers<Result>>();
  #last = 0;
  /** SQLite has one writer: whoever writes waits for a turn. */
  readonly turns = new TurnLock(writerPatienceMs);

  /** Start the thread; it has nothing open, and keeps no process alive. */
  begin(): void {
    this.#begun ??= this.#start();
  }

  /** Open the database in this folder, in a thread of its own; gives the steps that it has been through. */
  async open(directory: string): Promise<readonly AppliedMigration[]> {
    this.#worker = this.#begun ?? this.#start();
    this.#begun = undefined;
    const { rows } = await this.ask({ kind: 'open', directory });
    // The columns that the thread asks for.
    return rows as AppliedMigration[];
  }

  /** Ask for something; requests are served in the order in which they come. */
  ask(request: Unnumbered<WorkerRequest>): Promise<Result> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(storeUnavailable('it is not open'));
    const id = ++this.#last;
    const answer = Promise.withResolvers<Result>();
    this.#pending.set(id, answer);
    // What waits for an answer keeps the process alive, not the thread as such.
    worker.ref();
    try {
      worker.postMessage({ ...request, id });
    } catch (error) {
      this.#take(id)?.reject(error);
    }
    return answer.promise;
  }

  /** Run a procedure, when its turn comes. */
  async run<Argument, Result>(
    { module, name }: Procedure<Argument, Result>,
    argument: Argument,
    durability: Durability,
  ): Promise<Result> {
    await this.turns.acquire();
    try {
      const procedure = { module, name };
      const { rows } = await this.ask({ kind: 'run', procedure, argument, durability });
      // The result of the procedure is the one row.
      return rows[0] as Result;
    } finally {
      this.turns.release();
    }
  }

  async close(): Promise<void> {
    await this.#begun?.terminate();
    this.#begun = undefined;
    const worker = this.#worker;
    if (!worker) return;
    await this.ask({ kind: 'close' });
    this.#worker = undefined;
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(moduleFile('./sqlite-worker', import.meta.url), { name: 'store' });
    worker.on('message', (reply: WorkerReply) => this.#settle(reply));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the thread has ended')));
    worker.unref();
    return worker;
  }

  #settle(reply: WorkerReply): void {
    const answer = this.#take(reply.id);
    if (reply.kind === 'result') answer?.resolve(reply);
    else answer?.reject(explainFailure(errorFrom(reply.failure)));
  }

  #take(id: number): PromiseWithResolvers<Result> | undefined {
    const answer = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker?.unref();
    return answer;
  }

  #fail(error: unknown): void {
    this.#begun = undefined;
    this.#worker = undefined;
    for (const answer of this.#pending.values()) answer.reject(storeUnavailable('it broke', error));
    this.#pending.clear();
  }
}

function errorFrom({ message, ...codes }: WorkerFailure): Error {
  return Object.assign(new Error(message), codes);
}
