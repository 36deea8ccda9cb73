import type { Bus } from '#contract/bus/bus';
import type { EventDoor } from '#contract/bus/events';
import type { Config } from '../../generated/config.ts';
import type { Approvals } from '../admission/confirm/approvals.ts';
import { RequestStates } from '../admission/confirm/sealed-state.ts';
import type { Part } from '../process/life.ts';
import { McpEndpoint } from './endpoint.ts';
import { SharedChanges } from './replicas/shared-changes.ts';
import { Dialogue } from './request/dialogue.ts';
import type { SessionSettings } from './sessions/session-table.ts';
import { publishTasks } from './tasks/task-events.ts';
import { Tasks, type TasksParts } from './tasks/tasks.ts';

type Parts = Omit<ConstructorParameters<typeof McpEndpoint>[0], 'dialogue' | 'tasks' | 'sessions'>;

export interface McpParts
  extends Omit<Parts, 'maxBodyBytes'>,
    Pick<TasksParts, 'store' | 'jobs' | 'changes'> {
  readonly keys: (purpose: string) => Buffer;
  readonly approvals: Approvals;
  readonly bus: Bus;
  /** Absent where the operator has not switched the event bus on. */
  readonly announcements: EventDoor | undefined;
}

/** MCP: the endpoint, and the tasks that go on behind it. */
export interface Mcp {
  readonly endpoint: McpEndpoint;
  readonly tasks: Tasks;
  /** What tells the clients here of what happens at other replicas, where there may be others. */
  readonly parts: readonly Part[];
}

/** Put together what speaks MCP; its jobs are defined, and not started. */
export function createMcp(config: Config, given: McpParts): Mcp {
  const { keys, approvals, bus, announcements, ...parts } = given;
  const dialogue = new Dialogue(new RequestStates(() => keys('request state')));
  const { taskTtlMs: ttlMs, taskLimit: mostOpen, shutdownTimeoutMs: graceMs } = config;
  const tell = announcements && publishTasks(announcements);
  const tasks = new Tasks({ ...parts, approvals, ttlMs, mostOpen, graceMs, tell });
  const { maxBodyBytes, trustedProxies, proxyHeader } = config;
  const sessions = sessionSettings(config);
  return {
    endpoint: new McpEndpoint({
      ...{ ...parts, maxBodyBytes, trustedProxies, proxyHeader },
      ...{ dialogue, tasks, sessions },
    }),
    tasks,
    parts:
      announcements && mayHaveReplicas(config)
        ? [new SharedChanges({ ...parts, bus, watch: tasks.watch })]
        : [],
  };
}

/** A store in a file belongs to one process. */
function mayHaveReplicas({ databaseUrl, surfaces }: Config): boolean {
  return databaseUrl !== undefined || surfaces.bus.url !== undefined;
}

function sessionSettings(config: Config): SessionSettings | undefined {
  const { mcpSessions, mcpSessionLimit, mcpSessionIdleMs, mcpStreamTimeMs } = config;
  if (!mcpSessions) return undefined;
  return { limit: mcpSessionLimit, idleMs: mcpSessionIdleMs, streamMs: mcpStreamTimeMs };
}
