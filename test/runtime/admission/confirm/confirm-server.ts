import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Caller } from '#contract/caller';
import type { Store } from '#contract/house/store';
import type { Tool } from '#contract/tool';
import type { Tables } from '../../../../generated/tables.ts';
import { Approvals } from '../../../../runtime/admission/confirm/approvals.ts';
import { confirmTokens } from '../../../../runtime/admission/confirm/confirm-tokens.ts';
import { RequestStates } from '../../../../runtime/admission/confirm/sealed-state.ts';
import { PeopleShelf } from '../../../../runtime/house/people-shelf.ts';
import { createJobs } from '../../../../runtime/jobs/index.ts';
import { Tasks } from '../../../../runtime/mcp/tasks/tasks.ts';
import { createPages } from '../../../../runtime/pages/index.ts';
import { surface } from '../../../../runtime/surfaces/approvals/index.ts';
import { type ServerOptions, startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { modern } from '../../mcp/rpc.ts';

export interface ConfirmServer {
  readonly url: URL;
  readonly approvals: Approvals;
  /** What was written to the audit log. */
  readonly noted: Noted[];
}

export interface Noted {
  readonly outcome?: string;
  readonly payload: { readonly decision: string; readonly way: string; readonly operation: string };
}

export interface ConfirmServerOptions extends Pick<ServerOptions, 'sessions' | 'front'> {
  readonly store: Store<Tables>;
  readonly tools: readonly Tool[];
  readonly subject?: () => string;
  readonly now?: () => number;
  readonly patienceMs?: number;
  readonly hasPage?: boolean;
  /** Fails where the audit log cannot be written. */
  readonly note?: () => void;
}

/** One replica of a server whose tools have to be confirmed, for the time of one test. */
export async function startConfirmServer(
  t: Pick<TestContext, 'after'>,
  options: ConfirmServerOptions,
): Promise<ConfirmServer> {
  const { store, now = Date.now, patienceMs = 0, hasPage = true, subject = () => 's' } = options;
  const jobs = createJobs(store, { log: { warn: () => {} }, pollMs: 10 });
  const noted: Noted[] = [];
  const append = Object.assign(
    async (facts: Noted) => {
      options.note?.();
      noted.push(facts);
      return { seq: noted.length };
    },
    { later: () => {} },
  );
  const approvals = new Approvals({
    store,
    jobs,
    events: { approvalDecided: append as never },
    now,
  });
  const key = () => Buffer.alloc(32, 7);
  let base: URL | undefined;
  const confirm = {
    approvals,
    tokens: confirmTokens(new RequestStates(key, now)),
    pageOf: (id: string) => (hasPage ? new URL(`/approvals/${id}`, base).href : undefined),
    patienceMs,
    people: new PeopleShelf(),
  };
  const caller = (): Caller => ({
    ...{ tenant: 't', subject: subject(), client: 'c', scopes: 'all', transport: 'mcp' },
  });
  const { tools, sessions, front } = options;
  const pages = createPages({ key, addressOf: () => ({ basePath: '', isSecure: false }) });
  const { routes = [] } = await surface.create({ approvals, pages, people: confirm.people }, {});
  base = await startInMemoryServer(t, {
    ...{ tools, confirm, authenticate: caller },
    ...(sessions && { sessions }),
    ...(front && { front }),
    routes,
    tasks: (parts) =>
      new Tasks({ ...parts, store, jobs, approvals, ttlMs: 60_000, mostOpen: 100, graceMs: 0 }),
  });
  t.after(() => jobs.stop());
  await jobs.start();
  return { url: base, approvals, noted };
}

/** Deletes what it is told to, and remembers that. */
export function deleting(deleted: unknown[]): Tool {
  const properties = { path: { type: 'string' }, note: {}, password: { type: 'string' } };
  return toolOf(
    {
      name: 'delete_file',
      title: 'Delete a file',
      description: 'Delete a file for good',
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      input: { type: 'object', properties, required: ['path'], additionalProperties: false },
      confirm: 'elicitation',
    },
    async ({ path }) => {
      deleted.push(path);
      return { content: [{ type: 'text', text: `deleted ${path}` }] };
    },
  );
}

export const can = {
  nothing: {},
  forms: { elicitation: { form: {} } },
  pages: { elicitation: { url: {} } },
  tasks: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** What a modern client gets for a call. */
export interface Result {
  readonly resultType: string;
  readonly isError?: true;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly error?: Failure };
  readonly inputRequests?: Readonly<Record<string, { readonly params: Record<string, unknown> }>>;
  readonly requestState?: string;
  readonly taskId?: string;
  readonly statusMessage?: string;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly approval_url?: string;
  readonly claim_url?: string;
  readonly confirm_token?: string;
}

/** Send a request as a modern client that can do so much. */
export async function ask(
  url: URL,
  able: object,
  params: Readonly<Record<string, unknown>>,
  method = 'tools/call',
  client?: { readonly name: string; readonly version: string },
): Promise<Result> {
  const _meta = {
    'io.modelcontextprotocol/clientCapabilities': able,
    ...(client && { 'io.modelcontextprotocol/clientInfo': client }),
  };
  const { body } = await modern(url, { method, params, _meta });
  if (!body.result) throw new Error(JSON.stringify(body.error));
  return body.result as unknown as Result;
}

export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export async function openPage(
  url: string,
  sent: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const { statusCode, headers, body } = await request(url, { headers: sent });
  return { status: statusCode, headers, text: await body.text() };
}

/** Do what a browser does with a button of the form on the page. */
export async function press(url: string, decision: string, page?: Page): Promise<Page> {
  const { text, headers } = page ?? (await openPage(url));
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return send(url, new URLSearchParams({ token, decision }).toString(), cookie);
}

export async function send(url: string, body: string, cookie?: string): Promise<Page> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(url, {
    method: 'POST',
    headers: { ...form, ...(cookie !== undefined && { cookie }) },
    body,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** A task as its client sees it. */
export interface Shown {
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly isError?: true; readonly content: readonly { text: string }[] };
}

/** Ask for a task. */
export function getTask(url: URL, taskId: string): Promise<Shown> {
  return ask(url, can.tasks, { taskId }, 'tasks/get') as Promise<unknown> as Promise<Shown>;
}

/** The task once it works no more. */
export async function ended(url: URL, taskId: string): Promise<Shown> {
  for (;;) {
    const task = await getTask(url, taskId);
    if (task.status !== 'working') return task;
    await sleep(10);
  }
}
