import type { CallContext, Caller } from '#contract/caller';
import type { ClientFacts } from '#contract/client';
import type { Task } from '#contract/house/task';
import type { TraceContext } from '#contract/trace';

/** What a run of the tool needs to know of the call that made the task. */
export interface TaskWork {
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly client: ClientFacts;
  /** The same in every run, so that a vendor recognises a repeated request. */
  readonly callId: string;
  readonly trace?: TraceContext | undefined;
  readonly approval?: CallContext['approval'];
  readonly idempotencyKey?: unknown;
}

/** How often a client should ask. */
export const pollIntervalMs = 1000;

/** The task as the answer to the call that made it. */
export function shownTask(task: Task): object {
  const { id, state, statusMessage, createdAt, updatedAt, expiresAt } = task;
  return {
    taskId: id,
    status: state,
    ...(statusMessage !== '' && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: expiresAt - createdAt,
    pollIntervalMs,
  };
}

/** The whole task, as `tasks/get` and `notifications/tasks` carry it (DetailedTask). */
export function detailedTask(task: Task): object {
  const shown = shownTask(task);
  if (task.state === 'input_required') return { ...shown, inputRequests: task.requests };
  switch (task.end?.kind) {
    case 'result':
      return { ...shown, result: task.end.result };
    case 'error':
      return { ...shown, error: task.end.error };
    default:
      return shown;
  }
}
