import type { CallContext, Caller } from '#contract/caller';
import type { Answers, ClientFacts, InputRequests } from '#contract/client';
import type { ToolResult } from '#contract/tool';
import type { TraceContext } from '#contract/trace';
import type { RpcError } from '../reply.ts';

/** Where a task stands (MCP, Tasks extension, task status). */
export type TaskState = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** How the work ended: with a result, also one that says the tool failed, or with a JSON-RPC error. */
export type TaskEnd =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'error'; readonly error: RpcError };

/** The part of a task that changes, and changes in `task-state.ts` alone. Times in milliseconds. */
export interface TaskProgress {
  readonly state: TaskState;
  /** Empty where there is nothing to say. */
  readonly statusMessage: string;
  readonly updatedAt: number;
  /** Nobody may ask for the task any more from then on. */
  readonly expiresAt: number;
  /** How often the work was begun since it last asked; more than once after a crash. */
  readonly starts: number;
  /** What the client still has to answer; no key comes twice in the life of a task. */
  readonly requests: InputRequests;
  /** What it has answered, also before there was a task; the keys are those of the tool. */
  readonly answers: Answers;
  readonly end?: TaskEnd;
}

/** Names a task among those of all tenants. */
export interface TaskKey {
  readonly tenant: string;
  readonly id: string;
}

/** Work that goes on after the request for it was answered. */
export interface Task extends TaskKey, TaskProgress {
  readonly subject: string;
  readonly tool: string;
  readonly createdAt: number;
  /** Grows by one with each change. */
  readonly version: number;
}

/** What a run of the tool needs to know of the call that made the task. */
export interface TaskWork {
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly client: ClientFacts;
  /** The same in every run, so that a vendor recognises a repeated request. */
  readonly callId: string;
  readonly trace?: TraceContext | undefined;
  readonly approval?: CallContext['approval'];
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
