import type { Span } from '../answers/rows.ts';
import { rfc3339 } from '../ask/time-text.ts';
import type { MergedTrace } from '../merge/merge-traces.ts';
import { csvText, hoist } from './csv.ts';
import { tally } from './log-rows.ts';

/** A trace as JSON shows it. */
export interface ShownTrace {
  readonly traceId: string;
  readonly rootService?: string;
  readonly rootName?: string;
  readonly startTime: string;
  readonly durationMs: number;
  readonly spanCount?: number;
  readonly errorCount?: number;
  readonly services: readonly string[];
  readonly providerIds: readonly string[];
}

/** Nanoseconds as milliseconds with three digits behind the point. */
export function milliseconds(ns: bigint): number {
  return Number(ns / 1000n) / 1000;
}

export function shownTrace(trace: MergedTrace): ShownTrace {
  const { traceId, start, durationNs, rootService, rootName, ...facts } = trace;
  return {
    traceId,
    ...(rootService !== undefined && { rootService }),
    ...(rootName !== undefined && { rootName }),
    ...{ startTime: rfc3339(start), durationMs: milliseconds(durationNs) },
    ...facts,
  };
}

export function traceTable(traces: readonly ShownTrace[]) {
  const columns = [
    ...['startTime', 'durationMs', 'rootService', 'rootName', 'spanCount', 'errorCount'],
    ...['services', 'traceId', 'providerIds'],
  ];
  const rows = traces.map((trace) => [
    ...[trace.startTime, String(trace.durationMs), trace.rootService ?? '', trace.rootName ?? ''],
    ...[String(trace.spanCount ?? ''), String(trace.errorCount ?? '')],
    ...[trace.services.join(' '), trace.traceId, trace.providerIds.join(' ')],
  ]);
  const { shared, table } = hoist({ columns, rows });
  return { shared, csv: csvText(table) };
}

export function summarizeTraces(traces: readonly ShownTrace[]): Readonly<Record<string, unknown>> {
  const durations = traces.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  // The nearest rank: the least duration that no less than this share of them does not exceed.
  const at = (share: number) => durations[Math.max(0, Math.ceil(durations.length * share) - 1)];
  return {
    traces: traces.length,
    withErrors: traces.filter(({ errorCount = 0 }) => errorCount > 0).length,
    ...(durations.length > 0 && {
      durationMs: { p50: at(0.5), p95: at(0.95), max: durations.at(-1) },
    }),
    byRoot: tally(traces.map(({ rootService, rootName }) => `${rootService} ${rootName}`)),
  };
}

/** Spans of a trace in the form of OTLP (opentelemetry-proto, trace/v1, JSON). */
export function otlpSpans(spans: readonly Span[]) {
  const services = new Map<string, Span[]>();
  for (const span of spans) {
    const own = services.get(span.service) ?? [];
    own.push(span);
    services.set(span.service, own);
  }
  const resourceSpans = [...services].map(([service, own]) => ({
    resource: { attributes: [keyValue(['service.name', service])] },
    scopeSpans: [{ spans: own.map(otlpSpan) }],
  }));
  return { resourceSpans };
}

function otlpSpan(span: Span) {
  const { traceId, spanId, parentId, name, start, durationNs, isError, attributes } = span;
  return {
    ...{ traceId, spanId },
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    startTimeUnixNano: start.toString(),
    endTimeUnixNano: (start + durationNs).toString(),
    attributes: Object.entries(attributes).map(keyValue),
    ...(isError && { status: { code: 2 } }),
  };
}

function keyValue([key, value]: readonly [string, string]) {
  return { key, value: { stringValue: value } };
}

export function spanTable(spans: readonly Span[]) {
  const [first] = spans;
  const columns = ['offsetMs', 'durationMs', 'service', 'name', 'error', 'spanId', 'parentId'];
  const rows = spans.map((span) => [
    ...[
      String(milliseconds(span.start - (first?.start ?? 0n))),
      String(milliseconds(span.durationNs)),
    ],
    ...[span.service, span.name, span.isError ? 'true' : '', span.spanId, span.parentId ?? ''],
  ]);
  const { shared, table } = hoist({ columns, rows });
  return { shared: { ...shared, ...(first && { traceId: first.traceId }) }, csv: csvText(table) };
}
