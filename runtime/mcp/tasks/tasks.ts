import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { ApprovalWait, CallContext, Caller } from '#contract/caller';
import type { ClientCapabilities, InputResponses } from '#contract/client';
import type { Jobs } from '#contract/house/jobs';
import type { Store } from '#contract/house/store';
import type { Task } from '#contract/house/task';
import { isObject, type JsonObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import { houseJobs } from '../../../generated/jobs.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Approvals } from '../../admission/confirm/approvals.ts';
import { callDigest } from '../../admission/confirm/call-digest.ts';
import { tasksExtension } from '../../admission/steps/defer.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { Catalogue } from '../../offer/catalogue.ts';
import type { Changes } from '../../offer/changes.ts';
import { TaskRunner } from './task-runner.ts';
import { type InTransaction, TaskTable, type TaskTableOptions } from './task-table.ts';
import { TaskWatch } from './task-watch.ts';

export interface TasksParts extends TaskTableOptions {
  readonly store: Store<Tables>;
  readonly jobs: Jobs;
  readonly catalogue: Catalogue;
  readonly changes: Changes;
  readonly metrics: Pick<Metrics, 'mcpTask'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly graceMs: number;
  /** How long work is waited for that may be done at once (500). */
  readonly patienceMs?: number;
  /** Absent where nothing has to be approved. */
  readonly approvals?: Approvals | undefined;
}

/** Thrown through a call whose work has become a task. */
export class Deferred extends Error {
  readonly task: Task;

  constructor(task: Task) {
    super('the work goes on as a task');
    this.name = 'Deferred';
    this.task = task;
  }
}

/** Where a task is a choice, work that is done within this time needs none. */
const usualPatienceMs = 500;
/** 24 random bytes. */
const idForm = /^[\w-]{32}$/;
const mostSelected = 256;

/** Work that goes on after the request for it was answered (MCP, Tasks extension). */
export class Tasks {
  readonly #parts: TasksParts;
  readonly #table: TaskTable;
  readonly #watch: TaskWatch;
  readonly #runner: TaskRunner;

  /** Define the jobs that do the work; whoever has them starts them. */
  constructor(parts: TasksParts) {
    const { store, jobs, changes, ttlMs, approvals } = parts;
    this.#parts = parts;
    const table = new TaskTable(store, changes, parts);
    const watch = new TaskWatch(table, changes);
    this.#table = table;
    this.#watch = watch;
    const onEnd = (task: Task) => this.#ended(task);
    const runner = new TaskRunner({ ...parts, table, watch, ttlMs, onEnd });
    this.#runner = runner;
    const run = runner.run.bind(runner);
    jobs.define({ ...houseJobs.task, run });
    approvals?.whenDecided((tx, tenant, key) => this.#enqueueKey(tx, tenant, key));
    const removeExpired = () => table.removeExpired();
    jobs.define({ ...houseJobs.taskExpiry, run: removeExpired });
    const look = () => watch.look();
    jobs.define({ ...houseJobs.taskWatch, run: look });
  }

  /** The tasks that this process works on. */
  get running(): number {
    return this.#runner.size;
  }

  /** What tells those who follow tasks here. */
  get watch(): Pick<TaskWatch, 'lookAt'> {
    return this.#watch;
  }

  /**
   * Make a task of a call that admission has let through, and throw it: its work is stored, and so
   * is the job that does it. What may also be done at once is waited for a moment.
   */
  async defer(
    { name, task: need, confirm }: Pick<Operation, 'name' | 'task' | 'confirm'>,
    args: Readonly<Record<string, unknown>>,
    call: CallContext,
    wait?: ApprovalWait,
  ): Promise<never> {
    const { caller, client, callId, answers, trace } = call;
    const id = randomBytes(24).toString('base64url');
    // Admission defers what has to be confirmed after that, unless the task shall wait for it.
    const digest = confirm && (wait?.digest ?? callDigest(name, args, caller));
    const approval = digest ? { digest, ...(wait && { id: wait.id }) } : undefined;
    const { idempotencyKey } = call;
    const work = { args, caller, client, callId, trace, approval, idempotencyKey };
    const statusMessage = wait?.statusMessage ?? '';
    const begin: InTransaction = wait
      ? (tx, made) =>
          this.#approvals().attach(tx, { tenant: made.tenant, id: wait.id }, keyOf(made))
      : this.#enqueue;
    let task = await this.#table.create({ id, tool: name, answers, statusMessage }, work, begin);
    this.#parts.jobs.wake();
    if (need === 'optional' && !wait) task = await this.#soon(task, call.signal);
    // Nobody will ever hear of it.
    if (call.signal.aborted) await this.cancel(caller, id);
    throw new Deferred(task);
  }

  /** Forget a task that nobody has heard of. */
  async forget(task: Task): Promise<void> {
    await this.#table.remove(task);
  }

  /** The task of this id, as far as its caller may know of it. */
  async find(caller: Caller, id: string): Promise<Task | undefined> {
    return idForm.test(id) ? this.#table.find(caller, id) : undefined;
  }

  /** Take answers; the work goes on as soon as none is missing. False when there is no such task. */
  async answer(caller: Caller, id: string, responses: InputResponses): Promise<boolean> {
    const task = await this.find(caller, id);
    if (!task) return false;
    const changed = await this.#table.change(
      task,
      { kind: 'answer', responses },
      async (tx, after) => {
        if (after.state === 'working') await this.#enqueue(tx, after);
      },
    );
    if (changed) this.#parts.jobs.wake();
    return true;
  }

  /** End a task that has not ended; its work is told to stop. False when there is no such task. */
  async cancel(caller: Caller, id: string): Promise<boolean> {
    const task = await this.find(caller, id);
    if (!task) return false;
    const changed = await this.#table.change(task, { kind: 'cancel' });
    if (!changed) return true;
    this.#ended(changed);
    const { approvals } = this.#parts;
    await approvals?.withdraw({ tenant: caller.tenant, task: keyOf(task) });
    return true;
  }

  /** Those of the caller's tasks that are among `ids`, of which only the first 256 count. */
  async select(caller: Caller, ids: readonly string[]): Promise<readonly Task[]> {
    const wanted = new Set(ids.filter((id) => idForm.test(id)).slice(0, mostSelected));
    return wanted.size > 0 ? this.#table.select(caller, [...wanted]) : [];
  }

  /** Hear of every change of these tasks after the states given, wherever they run, until called. */
  follow(tasks: readonly Task[], listener: (task: Task) => void): () => void {
    const stops = tasks.map((task) => this.#watch.watch(task, listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  readonly #enqueue: InTransaction = (tx, task) => this.#enqueueKey(tx, task.tenant, keyOf(task));

  async #enqueueKey(tx: Transaction<Tables>, tenant: string, key: string): Promise<void> {
    const [id = '', round] = key.split('/');
    const request = {
      name: houseJobs.task.name,
      tenant,
      key,
      payload: { id, round: Number(round) },
    };
    await this.#parts.jobs.enqueue(request, tx);
  }

  #approvals(): Approvals {
    const { approvals } = this.#parts;
    if (!approvals) throw new Error('nothing keeps approvals');
    return approvals;
  }

  /** The task as it is after a moment, or earlier where it has changed its state by then. */
  async #soon(task: Task, signal: AbortSignal): Promise<Task> {
    const { promise, resolve } = Promise.withResolvers<Task>();
    let newest = task;
    const unwatch = this.#watch.watch(task, (now) => {
      newest = now;
      if (now.state !== 'working') resolve(now);
    });
    const giveUp = () => resolve(newest);
    const timer = setTimeout(giveUp, this.#parts.patienceMs ?? usualPatienceMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      unwatch();
    }
  }

  #ended({ tool, state, createdAt, updatedAt }: Task): void {
    const { metrics, log } = this.#parts;
    const seconds = (updatedAt - createdAt) / 1000;
    metrics.mcpTask(tool, state, seconds);
    log.debug({ tool, state, seconds }, 'a task has ended');
  }
}

/** The round of a task that is to be run, as its job and its approval name it. */
function keyOf({ id, answers }: Task): string {
  return `${id}/${answers.round}`;
}

/** What a client has to declare to hear of tasks. */
export const tasksCapability: ClientCapabilities = { extensions: { [tasksExtension]: {} } };

/** Whether a client knows what to do with a task; nobody has checked what it says. */
export function knowsTasks({ capabilities }: CallContext['client']): boolean {
  const extensions: unknown = capabilities.extensions;
  return isObject(extensions) && isObject((extensions as JsonObject)[tasksExtension]);
}
