import { type LogRecord, ROOT_CONTEXT, SeverityNumber, trace } from '@opentelemetry/api';
import type { GuardRecord } from '#contract/telemetry/guard';
import { contextOf } from './span-record.ts';

/** What the records of decisions say that they come from. */
export const guardName = 'service-guard';

/** Write a decision as a record of a log. */
export function decisionRecord({ verdict, at, attributes, trace: around }: GuardRecord): LogRecord {
  const isDenied = verdict === 'deny';
  return {
    eventName: 'service.guard.decision',
    timestamp: at,
    severityNumber: isDenied ? SeverityNumber.WARN : SeverityNumber.INFO,
    severityText: isDenied ? 'WARN' : 'INFO',
    body: `guard_${verdict}`,
    attributes: { ...attributes },
    ...(around && {
      context: trace.setSpanContext(ROOT_CONTEXT, contextOf(around.traceId, around.spanId)),
    }),
  };
}
