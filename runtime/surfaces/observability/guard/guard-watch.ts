import { createHmac } from 'node:crypto';
import type { House } from '#contract/house/house';
import type { Denial, GuardRecord, GuardWatch } from '#contract/telemetry/guard';
import { spanIdOf, traceIdOf } from '#contract/trace';
import type { GuardLog } from './guard-log.ts';

export interface GuardParts
  extends Pick<House, 'keys' | 'log' | 'metrics' | 'now' | 'ownTelemetry'> {
  /** A log store that is told too; absent where there is none. */
  readonly guardLog: GuardLog | undefined;
}

/**
 * Tell of what is decided about callers: a counter, the span of the call, a record that goes out by
 * OTLP, a line of the log, and a log store where one is named.
 */
export function createGuardWatch(parts: GuardParts): GuardWatch {
  const { keys, log, metrics, now, ownTelemetry, guardLog } = parts;
  const count = metrics.counters({
    name: 'service_guard_decisions_total',
    help: 'Decisions whether a caller may use a tool or route.',
  });
  return {
    allowed(tool) {
      const labels = { verdict: 'allow', tool };
      return () => count(labels);
    },
    denied(denial) {
      count({ verdict: 'deny', tool: denial.operation });
      const record = recordOf(denial, now(), (text) => hashed(keys('guard subjects'), text));
      const { span } = denial.context ?? {};
      for (const [name, value] of Object.entries(record.attributes)) span?.set(name, value);
      ownTelemetry?.decision(record);
      log.warn(record.attributes, 'guard_deny');
      guardLog?.push(record);
    },
  };
}

function recordOf(
  { operation, caller, arrival, needs, context }: Denial,
  at: number,
  hash: (text: string) => string,
): GuardRecord {
  const session = arrival?.headers['mcp-session-id'];
  const { transport, tenant, subject } = caller;
  const trace = context?.trace;
  return {
    ...{ verdict: 'deny', at },
    attributes: {
      'service.correlation_id': context?.callId ?? `guard:${operation}:${at}`,
      'service.tool_name': operation,
      'service.guard.verdict': 'deny',
      'service.guard.reason': `${operation} needs ${needs.join(' and ')}`.slice(0, 500),
      'service.guard.rule_id': 'scopes',
      'service.tenant': tenant,
      'error.type': 'insufficient_scope',
      'gen_ai.tool.name': operation,
      'enduser.id': hash(`${tenant} ${subject}`),
      ...(transport === 'mcp' && { 'mcp.method.name': 'tools/call' }),
      // Whoever knows the id of a session could take it over.
      ...(typeof session === 'string' && { 'service.session_id': hash(session) }),
    },
    ...(trace && { trace: { traceId: traceIdOf(trace), spanId: spanIdOf(trace) } }),
  };
}

/** The same for the same person, and nobody can tell for whom. */
function hashed(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}
