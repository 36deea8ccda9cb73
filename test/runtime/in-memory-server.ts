import type { TestContext } from 'node:test';
import pino, { type Logger } from 'pino';
import type { Prompt } from '#contract/prompt';
import type { Resource, ResourceTemplate } from '#contract/resource';
import type { BoundRoute } from '#contract/surface/surface';
import type { Tool } from '#contract/tool';
import { type AdmissionOptions, createAdmission } from '../../runtime/admission/admission.ts';
import { RequestStates } from '../../runtime/admission/confirm/sealed-state.ts';
import { RunningCalls } from '../../runtime/admission/running-calls.ts';
import { createHttpServer, type HttpParts, type HttpTimeouts } from '../../runtime/http/server.ts';
import { McpEndpoint } from '../../runtime/mcp/endpoint.ts';
import { Dialogue } from '../../runtime/mcp/request/dialogue.ts';
import type { InnerCallsParts } from '../../runtime/mcp/request/inner-calls.ts';
import type { ServedRevision } from '../../runtime/mcp/request/revision.ts';
import type { SessionSettings } from '../../runtime/mcp/sessions/session-table.ts';
import type { Tasks, TasksParts } from '../../runtime/mcp/tasks/tasks.ts';
import { createMetrics, type Metrics } from '../../runtime/observe/metrics.ts';
import { Catalogue, type ToolFront, toolsInMemory } from '../../runtime/offer/catalogue.ts';
import { Changes } from '../../runtime/offer/changes.ts';
import { Prompts } from '../../runtime/offer/prompts.ts';
import { Resources } from '../../runtime/offer/resources.ts';

const defaultSessions: SessionSettings = { limit: 10, idleMs: 60_000, streamMs: 0 };

export interface ServerOptions extends Partial<AdmissionOptions> {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
  readonly prompts?: readonly Prompt[];
  readonly changes?: Changes;
  readonly routes?: readonly BoundRoute[];
  readonly timeouts?: HttpTimeouts;
  readonly callTimeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** How many may come in at a time. */
  readonly crowd?: Pick<HttpParts, 'callLimit' | 'overloadWaitMs' | 'connectionLimit'>;
  readonly metrics?: Metrics;
  /** Makes what keeps the tasks of this server. */
  readonly tasks?: (parts: Pick<TasksParts, 'catalogue' | 'changes' | 'metrics' | 'log'>) => Tasks;
  readonly log?: Logger;
  /** Makes the tools that alone are listed. */
  readonly front?: (parts: InnerCallsParts) => ToolFront | Promise<ToolFront>;
  /** With them, clients of the handshake era get sessions. */
  readonly sessions?: Partial<SessionSettings>;
  /** Other ways of speaking MCP than those that are served. */
  readonly revisions?: readonly ServedRevision[];
}

/** Start a server whose tools live in memory, for the time of one test; gives the MCP URL. */
export async function startInMemoryServer(
  context: Pick<TestContext, 'after'>,
  options: ServerOptions = {},
): Promise<URL> {
  return (await startInMemory(context, options)).url;
}

/** The same, with the parts that a test may want to stop. */
export async function startInMemory(
  context: Pick<TestContext, 'after'>,
  {
    tools = [],
    resources = [],
    resourceTemplates = [],
    prompts = [],
    changes = new Changes(),
    routes = [],
    timeouts,
    callTimeoutMs = 120_000,
    maxBodyBytes = 4_194_304,
    crowd = {},
    metrics = createMetrics(),
    log = pino({ level: 'silent' }),
    tasks,
    front,
    sessions,
    revisions,
    ...rest
  }: ServerOptions = {},
) {
  const admission = createAdmission({ callRate: 0, ...rest });
  const running = new RunningCalls(callTimeoutMs);
  const source = { id: 'memory', title: 'In memory', tools: toolsInMemory(tools) };
  const parts = { admission, running, log, maxBodyBytes, callTimeoutMs, metrics };
  const catalogue = new Catalogue([source], admission, changes);
  if (front) catalogue.putInFront(await front({ catalogue, metrics, log }));
  const offered = [{ id: 'memory', resources, resourceTemplates, prompts }];
  const mcp = new McpEndpoint({
    ...parts,
    catalogue,
    resources: new Resources(offered, admission),
    prompts: new Prompts(offered, admission, changes),
    tasks: tasks?.({ catalogue, changes, metrics, log }),
    dialogue: new Dialogue(new RequestStates(() => Buffer.alloc(32, 7))),
    sessions: sessions && { ...defaultSessions, ...sessions },
    revisions,
  });
  const server = createHttpServer({
    ...parts,
    mcp,
    mcpPath: '/mcp',
    host: '127.0.0.1',
    baseUrl: undefined,
    routes,
    ...crowd,
    ...(timeouts && { timeouts }),
  });
  context.after(() => {
    mcp.drain();
    return server.close();
  });
  const url = new URL('/mcp', await server.listen({ host: '127.0.0.1', port: 0 }));
  return { url, mcp, server, running };
}
