import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../../generated/tables.ts';
import { createJobs, type OwnedJobs } from '../../../../runtime/jobs/index.ts';
import { Tasks, type TasksParts } from '../../../../runtime/mcp/tasks/tasks.ts';
import { type ServerOptions, startInMemoryServer } from '../../in-memory-server.ts';
import { type Message, modern, type RpcAnswer } from '../rpc.ts';

const extension = 'io.modelcontextprotocol/tasks';

export interface TaskServerOptions extends Omit<ServerOptions, 'tasks'> {
  readonly store: Store<Tables>;
  /** Whether it runs tasks, as all replicas do. */
  readonly works?: boolean;
  readonly limits?: Partial<
    Pick<TasksParts, 'ttlMs' | 'mostOpen' | 'graceMs' | 'patienceMs' | 'tell'>
  >;
}

export interface TaskServer {
  readonly url: URL;
  readonly tasks: Tasks;
  readonly jobs: OwnedJobs;
}

/** What `tasks/get` says. */
export interface ShownTask {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: {
    readonly content: readonly { readonly text?: string }[];
    readonly isError?: true;
    readonly structuredContent?: { readonly error?: { readonly code: string } };
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One replica of a server that keeps tasks, for the time of one test. */
export async function startTaskServer(
  t: TestContext,
  { store, works = true, limits, ...options }: TaskServerOptions,
): Promise<TaskServer> {
  const jobs = createJobs(store, { log: { warn: () => {} }, pollMs: 10 });
  let made: Tasks | undefined;
  const url = await startInMemoryServer(t, {
    ...options,
    tasks: (parts) => {
      const bounds = { ttlMs: 60_000, mostOpen: 100, graceMs: 0, ...limits };
      made = new Tasks({ ...parts, store, jobs, ...bounds });
      return made;
    },
  });
  assert.ok(made);
  t.after(() => jobs.stop());
  if (works) await jobs.start();
  return { url, tasks: made, jobs };
}

const capabilities = { elicitation: {}, extensions: { [extension]: {} } };

/** Send a request as a client that knows tasks. */
export async function withTasks(url: URL, message: Message): Promise<RpcAnswer> {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities, ...message._meta };
  return modern(url, { ...message, _meta });
}

/** Call a tool that becomes a task; gives the id. */
export async function createTask(
  url: URL,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { body } = await withTasks(url, {
    method: 'tools/call',
    params: { name, arguments: args },
  });
  assert.equal(body.result?.['resultType'], 'task', JSON.stringify(body));
  return String(body.result['taskId']);
}

export async function getTask(url: URL, taskId: string): Promise<ShownTask> {
  const { body } = await withTasks(url, { method: 'tasks/get', params: { taskId } });
  assert.equal(body.result?.['resultType'], 'complete', JSON.stringify(body));
  return body.result as unknown as ShownTask;
}

/** Ask until the task is in one of these states. */
export async function taskIn(
  url: URL,
  taskId: string,
  ...states: readonly string[]
): Promise<ShownTask> {
  for (;;) {
    const task = await getTask(url, taskId);
    if (states.includes(task.status)) return task;
    const isOver = ['completed', 'failed', 'cancelled'].includes(task.status);
    assert.ok(!isOver, `expected ${states.join(' or ')}: ${JSON.stringify(task)}`);
    await sleep(10);
  }
}
