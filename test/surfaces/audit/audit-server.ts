import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Caller } from '#contract/caller';
import type { BoundRoute } from '#contract/surface/surface';
import { createAuditEvents } from '../../../generated/surfaces/audit/events.ts';
import { type AuditLogOptions, openAuditLog } from '../../../runtime/audit/index.ts';
import { type AuditAccess, createAuditAccess } from '../../../runtime/audit/wiring/audit-access.ts';
import { surface } from '../../../runtime/surfaces/audit/index.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';

export interface AuditServer {
  readonly url: URL;
  readonly directory: string;
  readonly access: AuditAccess;
  /** What was said to be missing from the log. */
  readonly losses: unknown[];
  send(path: string, method?: 'GET' | 'POST', ifNoneMatch?: string): Promise<Answer>;
  /** Call the tool; gives its structured content. */
  tool(args: object): Promise<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Whoever calls holds these scopes. */
export function callerWith(scopes: Caller['scopes'], tenant = 'default'): Caller {
  return { tenant, subject: 'agent-1', client: 'test', scopes, transport: 'http' };
}

export interface AuditServerOptions {
  readonly caller?: () => Caller;
  readonly routes?: readonly BoundRoute[];
  /** Which log is served, where it is not a new one. */
  readonly log?: Partial<AuditLogOptions>;
}

/** Serve a real log in a folder of its own, for the time of one test. */
export async function startAuditServer(
  t: Pick<TestContext, 'after'>,
  { caller = () => callerWith('all'), routes = [], log = {} }: AuditServerOptions = {},
): Promise<AuditServer> {
  const directory = log.directory ?? mkdtempSync(join(tmpdir(), 'audit-surface-'));
  const access = createAuditAccess(() =>
    openAuditLog({ origin: 'tools.example.com/audit', anchors: [], ...log, directory }),
  );
  const { routes: own = [], tools = [] } = await surface.create(
    { audit: access, witness: undefined },
    {},
  );
  const losses: unknown[] = [];
  const url = await startInMemoryServer(t, {
    authenticate: caller,
    audit: { events: access.events, onLoss: (error) => losses.push(error) },
    routes: [...own, ...routes],
    tools,
  });
  t.after(async () => {
    await access.close();
    if (log.directory === undefined) rmSync(directory, { recursive: true, force: true });
  });
  return {
    url,
    directory,
    access,
    losses,
    async send(path, method = 'GET', ifNoneMatch) {
      const condition = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
      const answer = await request(new URL(path, url), { method, headers: condition });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const { statusCode: status, headers } = answer;
      return { status, headers, bytes, text: bytes.toString() };
    },
    async tool(args) {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'audit', arguments: args },
        }),
      });
      const { result } = (await answer.body.json()) as {
        result: { structuredContent: Record<string, unknown> };
      };
      return result.structuredContent;
    },
  };
}

/** Add `count` notes, all in flight at once. */
export async function addNotes({ access }: AuditServer, count: number, tenant = 'default') {
  const events = createAuditEvents(access);
  const notes = Array.from({ length: count }, (_, index) =>
    events.agentNote({
      actor: { type: 'agent', id: 'agent-1' },
      tenant,
      correlation_id: `run-${index % 3}`,
      summary: `Note ${index}`,
      payload: { category: index % 2 === 0 ? 'even' : 'odd', action: 'counted' },
    }),
  );
  return Promise.all(notes);
}
