import type { Answers, InputRequests } from '../client.ts';
import type { ToolResult } from '../tool.ts';

/** Where a task stands (MCP, Tasks extension, task status). */
export type TaskState = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** An error in the terms of JSON-RPC. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** How the work ended: with a result, also one that says the tool failed, or with a JSON-RPC error. */
export type TaskEnd =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'error'; readonly error: TaskError };

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
