import type { ApprovalMark, InputRequests, InputResponses } from '#contract/client';
import type { TaskEnd, TaskProgress } from '#contract/house/task';
import type { Json } from '#contract/json';

/** What can happen to a task. */
export type TaskEvent =
  /** A run of the work begins; `round` is the one that it was stored for. */
  | { readonly kind: 'start'; readonly round: number }
  | { readonly kind: 'message'; readonly text: string }
  /** The work cannot go on before the client has answered. */
  | {
      readonly kind: 'ask';
      readonly requests: InputRequests;
      readonly state?: Json | undefined;
      readonly approval?: ApprovalMark | undefined;
    }
  /** Answers by the keys of `TaskProgress.requests`; others do not count. */
  | { readonly kind: 'answer'; readonly responses: InputResponses }
  | { readonly kind: 'end'; readonly end: TaskEnd }
  | { readonly kind: 'cancel' };

export interface Moment {
  readonly now: number;
  /** How long a task lives on after a change of its state. */
  readonly ttlMs: number;
}

/**
 * The one place where a task changes (MCP, Tasks extension, task status): gives what it is after
 * `event`, and nothing where the event means nothing to it. What has ended never changes again.
 */
export function after(
  task: TaskProgress,
  event: TaskEvent,
  { now, ttlMs }: Moment,
): TaskProgress | undefined {
  // Nobody can ask for it any more: it is not worth beginning.
  if (event.kind === 'start' && task.expiresAt <= now) return undefined;
  const changed = changeOf(task, event);
  if (!changed) return undefined;
  const updatedAt = Math.max(now, task.updatedAt);
  const isMessage = event.kind === 'message';
  const expiresAt = isMessage ? task.expiresAt : Math.max(task.expiresAt, updatedAt + ttlMs);
  return { ...task, ...changed, updatedAt, expiresAt };
}

/** Whether nothing can happen to a task any more. */
export function hasEnded({ state }: Pick<TaskProgress, 'state'>): boolean {
  return state !== 'working' && state !== 'input_required';
}

function changeOf(task: TaskProgress, event: TaskEvent): Partial<TaskProgress> | undefined {
  const { state } = task;
  const isWorking = state === 'working';
  switch (event.kind) {
    case 'start': {
      // A later round has a run of its own.
      if (!isWorking || event.round !== task.answers.round) return undefined;
      return { starts: task.starts + 1 };
    }
    case 'message':
      return isWorking && event.text !== task.statusMessage
        ? { statusMessage: event.text }
        : undefined;
    case 'ask':
      return isWorking ? asked(task, event) : undefined;
    case 'answer':
      return state === 'input_required' ? answered(task, event.responses) : undefined;
    case 'end':
      return isWorking ? ended(event.end) : undefined;
    case 'cancel': {
      if (hasEnded(task)) return undefined;
      return { state: 'cancelled', statusMessage: 'cancelled by the client', requests: {} };
    }
  }
}

function asked(
  { answers }: TaskProgress,
  { requests, state, approval }: TaskEvent & { readonly kind: 'ask' },
): Partial<TaskProgress> {
  const round = answers.round + 1;
  const { responses } = answers;
  return {
    state: 'input_required',
    statusMessage: 'waiting for an answer of the client',
    requests: Object.fromEntries(
      Object.entries(requests).map(([key, request]) => [`${round}.${key}`, request]),
    ),
    answers: {
      responses,
      round,
      ...(state !== undefined && { state }),
      ...(approval && { approval }),
    },
  };
}

/** Take what was asked for; the work goes on once nothing is missing. */
function answered(
  { requests, answers }: TaskProgress,
  given: InputResponses,
): Partial<TaskProgress> | undefined {
  const taken = Object.entries(given).filter(([key]) => Object.hasOwn(requests, key));
  if (taken.length === 0) return undefined;
  const own = taken.map(([key, response]) => [key.slice(key.indexOf('.') + 1), response] as const);
  const responses = Object.fromEntries([...Object.entries(answers.responses), ...own]);
  const left = Object.entries(requests).filter(([key]) => !Object.hasOwn(given, key));
  const change = { answers: { ...answers, responses }, requests: Object.fromEntries(left) };
  return left.length > 0 ? change : { ...change, state: 'working', statusMessage: '', starts: 0 };
}

function ended(end: TaskEnd): Partial<TaskProgress> {
  return end.kind === 'result'
    ? { state: 'completed', statusMessage: '', end }
    : { state: 'failed', statusMessage: end.error.message, end };
}
