import type { Logger } from 'pino';
import { ServiceError } from '#contract/errors';
import type { JobRun } from '#contract/house/jobs';
import type { Task } from '#contract/house/task';
import { isObject } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';
import { Call } from '../../admission/call.ts';
import { RunningCalls } from '../../admission/running-calls.ts';
import type { Catalogue, CatalogueTool } from '../../offer/catalogue.ts';
import { errorCode } from '../wire/json-rpc.ts';
import { StatusMessages } from './status-messages.ts';
import { pollIntervalMs, type TaskWork } from './task.ts';
import { eventOfError, eventOfResult, failed } from './task-outcome.ts';
import type { TaskEvent } from './task-state.ts';
import type { InTransaction, TaskTable } from './task-table.ts';
import type { TaskWatch } from './task-watch.ts';

/** What is stored with that job. */
export interface TaskJobPayload {
  readonly id: string;
  readonly round: number;
}

/** A tool that takes its server down with it must not do so for ever. */
const mostAttempts = 5;

const unclear =
  'the server ended while this ran, and doing it twice may do harm; check whether it took effect before you try again';

export interface TaskRunnerParts {
  readonly table: TaskTable;
  readonly watch: TaskWatch;
  readonly catalogue: Catalogue;
  readonly log: Pick<Logger, 'error'>;
  /** The longest that one run may take. */
  readonly ttlMs: number;
  /** How long what must not run twice may still take once the server stops. */
  readonly graceMs: number;
  /** What was written down of the end of a task. */
  readonly onEnd: (task: Task) => void;
}

/** Carries out the work of tasks: each round is a job, run by one replica at a time. */
export class TaskRunner {
  readonly #parts: TaskRunnerParts;
  readonly #running: RunningCalls;

  constructor(parts: TaskRunnerParts) {
    this.#parts = parts;
    this.#running = new RunningCalls(parts.ttlMs);
  }

  /** The tasks that this process works on. */
  get size(): number {
    return this.#running.size;
  }

  /** Run one round, and write down what came of it unless the server stops or lost the job. */
  async run(job: JobRun): Promise<void> {
    const { table, catalogue } = this.#parts;
    const { id, round } = payloadOf(job);
    const task = await table.change({ tenant: job.tenant, id }, { kind: 'start', round }, by(job));
    // It has ended or expired, or another job has this round behind it already.
    if (!task) return;
    if (job.attempt > mostAttempts) {
      return this.#fail(task, job, `${mostAttempts} attempts to run it came to no end`);
    }
    const tool = await catalogue.find(task.tool, task.tenant);
    if (!tool) return this.#fail(task, job, `there is no tool called ${task.tool} any more`);
    if (task.starts > 1 && !mayRunAgain(tool.definition)) return this.#fail(task, job, unclear);
    const work = await table.work(task);
    if (work) await this.#end(task, job, await this.#call(task, job, tool, work));
  }

  #fail(task: Task, job: JobRun, message: string): Promise<void> {
    return this.#end(task, job, failed({ code: errorCode.internal, message }));
  }

  async #call(
    task: Task,
    job: JobRun,
    { run, definition }: CatalogueTool,
    { args, caller, client, callId, trace, approval, idempotencyKey }: TaskWork,
  ): Promise<TaskEvent> {
    if (job.signal.aborted) throw job.signal.reason;
    const { table, watch, log } = this.#parts;
    const say = (text: string) =>
      table
        .change(task, { kind: 'message', text }, by(job))
        .catch((err) => log.error({ err }, 'the progress of a task cannot be stored'));
    const messages = new StatusMessages(say, pollIntervalMs);
    const { answers } = task;
    const side = {
      client,
      answers,
      callId,
      trace,
      approval,
      idempotencyKey,
      inTask: true,
    } as const;
    const { progress, log: tell } = messages;
    const call = new Call(caller, undefined, {
      ...side,
      progress,
      log: tell,
      stopping: job.signal,
    });
    const unwatch = watch.watch(task, ({ state }) => {
      if (state === 'cancelled') call.abort(cancelled());
    });
    const release = this.#stopWith(job.signal, call, isRepeatable(definition));
    try {
      return eventOfResult(await this.#running.settle(call, run(args, call)));
    } catch (error) {
      if (error === job.signal.reason) throw error;
      return eventOfError(error, answers.round, client.capabilities, (err, errorId) =>
        log.error({ err, errorId, tool: task.tool, callId }, 'a task failed'),
      );
    } finally {
      release();
      unwatch();
      await messages.close();
    }
  }

  /** Abort the call with its job; what must not run twice may come to its end where that is near. */
  #stopWith(signal: AbortSignal, call: Call, repeatable: boolean): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      const { reason } = signal;
      const isLost = reason instanceof ServiceError;
      if (isLost || repeatable) call.abort(reason);
      else timer = setTimeout(() => call.abort(reason), this.#parts.graceMs);
    };
    signal.addEventListener('abort', stop, { once: true });
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  }

  async #end(task: Task, job: JobRun, event: TaskEvent): Promise<void> {
    const changed = await this.#parts.table.change(task, event, by(job));
    if (changed?.end) this.#parts.onEnd(changed);
  }
}

/** Whoever lost the job changes nothing any more. */
function by(job: JobRun): InTransaction {
  return (tx) => job.fence(tx);
}

function payloadOf({ payload }: JobRun): TaskJobPayload {
  if (!isObject(payload)) throw new Error('a job of a task names no task');
  return { id: String(payload['id']), round: Number(payload['round']) };
}

/** Whether a run after a crash does no harm. */
function mayRunAgain(definition: ToolDefinition): boolean {
  return definition.resumes === true || isRepeatable(definition);
}

function isRepeatable({ annotations }: ToolDefinition): boolean {
  return annotations.readOnlyHint || annotations.idempotentHint === true;
}

function cancelled(): ServiceError {
  return new ServiceError('cancelled', 409, 'the client has cancelled the task');
}
