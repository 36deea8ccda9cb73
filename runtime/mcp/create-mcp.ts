import type { Config } from '../../generated/config.ts';
import type { Approvals } from '../admission/confirm/approvals.ts';
import { RequestStates } from '../admission/confirm/sealed-state.ts';
import { McpEndpoint } from './endpoint.ts';
import { Dialogue } from './request/dialogue.ts';
import type { SessionSettings } from './sessions/session-table.ts';
import { Tasks, type TasksParts } from './tasks/tasks.ts';

type Parts = Omit<ConstructorParameters<typeof McpEndpoint>[0], 'dialogue' | 'tasks' | 'sessions'>;

export interface McpParts
  extends Omit<Parts, 'maxBodyBytes'>,
    Pick<TasksParts, 'store' | 'jobs' | 'changes'> {
  readonly keys: (purpose: string) => Buffer;
  readonly approvals: Approvals;
}

/** MCP: the endpoint, and the tasks that go on behind it. */
export interface Mcp {
  readonly endpoint: McpEndpoint;
  readonly tasks: Tasks;
}

/** Put together what speaks MCP; its jobs are defined, and not started. */
export function createMcp(config: Config, { keys, approvals, ...parts }: McpParts): Mcp {
  const dialogue = new Dialogue(new RequestStates(() => keys('request state')));
  const { taskTtlMs: ttlMs, taskLimit: mostOpen, shutdownTimeoutMs: graceMs } = config;
  const tasks = new Tasks({ ...parts, approvals, ttlMs, mostOpen, graceMs });
  const { maxBodyBytes, trustedProxies, proxyHeader } = config;
  const sessions = sessionSettings(config);
  return {
    endpoint: new McpEndpoint({
      ...{ ...parts, maxBodyBytes, trustedProxies, proxyHeader },
      ...{ dialogue, tasks, sessions },
    }),
    tasks,
  };
}

function sessionSettings(config: Config): SessionSettings | undefined {
  const { mcpSessions, mcpSessionLimit, mcpSessionIdleMs, mcpStreamTimeMs } = config;
  if (!mcpSessions) return undefined;
  return { limit: mcpSessionLimit, idleMs: mcpSessionIdleMs, streamMs: mcpStreamTimeMs };
}
