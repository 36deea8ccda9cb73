import type { Selectable } from 'kysely';
import type { Task, TaskEnd, TaskProgress } from '#contract/house/task';
import type { TaskRow } from '../../../generated/tables.ts';
import type { TaskWork } from './task.ts';

/** What every reader of a task needs; arguments may be long, and only a run needs them. */
export const taskColumns = [
  'tenant',
  'id',
  'subject',
  'tool',
  'state',
  'status_message',
  'created_at',
  'updated_at',
  'expires_at',
  'version',
  'starts',
  'requests',
  'answers',
  'outcome',
] as const satisfies readonly (keyof TaskRow)[];

type ReadRow = Pick<Selectable<TaskRow>, (typeof taskColumns)[number]>;

/** A row as a task. All JSON in it was written by `columnsOf` and `textOfWork`. */
export function taskOf(row: ReadRow): Task {
  const { tenant, id, subject, tool, state, version, starts } = row;
  return {
    tenant,
    id,
    subject,
    tool,
    state,
    version,
    starts,
    statusMessage: row.status_message,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    requests: JSON.parse(row.requests) as Task['requests'],
    answers: JSON.parse(row.answers) as Task['answers'],
    ...(row.outcome !== '' && { end: JSON.parse(row.outcome) as TaskEnd }),
  };
}

/** What of a row changes. */
export function columnsOf(progress: TaskProgress) {
  const { state, statusMessage, updatedAt, expiresAt, starts, requests, answers, end } = progress;
  return {
    state,
    status_message: statusMessage,
    updated_at: updatedAt,
    expires_at: expiresAt,
    starts,
    requests: JSON.stringify(requests),
    answers: JSON.stringify(answers),
    outcome: end ? JSON.stringify(end) : '',
  };
}

export function textOfWork({ caller, ...rest }: TaskWork): string {
  const scopes = caller.scopes === 'all' ? 'all' : [...caller.scopes];
  return JSON.stringify({ ...rest, caller: { ...caller, scopes } });
}

export function workOf(text: string): TaskWork {
  const { caller, ...rest } = JSON.parse(text) as TaskWork & {
    readonly caller: { readonly scopes: 'all' | readonly string[] };
  };
  const scopes = caller.scopes === 'all' ? 'all' : new Set(caller.scopes as readonly string[]);
  return { ...rest, caller: { ...caller, scopes } };
}
