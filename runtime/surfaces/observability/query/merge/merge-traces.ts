import type { Span, TraceSummary } from '../answers/rows.ts';

/** A trace and the providers that keep it. */
export interface MergedTrace extends TraceSummary {
  readonly providerIds: readonly string[];
}

export interface TraceSource {
  readonly providerId: string;
  readonly traces: readonly TraceSummary[];
}

export interface MergedTraces {
  readonly traces: readonly MergedTrace[];
  readonly dropped: number;
}

/** Make one row of what several providers say of a trace, the newest trace first. */
export function mergeTraces(sources: readonly TraceSource[]): MergedTraces {
  const byId = new Map<string, MergedTrace>();
  let dropped = 0;
  for (const { providerId, traces } of sources) {
    for (const trace of traces) {
      const known = byId.get(trace.traceId);
      if (known !== undefined) dropped += 1;
      byId.set(
        trace.traceId,
        known === undefined
          ? { ...trace, providerIds: [providerId] }
          : joined(known, trace, providerId),
      );
    }
  }
  return { traces: [...byId.values()].sort(newestFirst), dropped };
}

function joined(known: MergedTrace, other: TraceSummary, providerId: string): MergedTrace {
  // Whoever knows more spans knows the trace better.
  const better = (other.spanCount ?? 0) > (known.spanCount ?? 0) ? other : known;
  const spanCount = most(known.spanCount, other.spanCount);
  const errorCount = most(known.errorCount, other.errorCount);
  return {
    ...better,
    ...(spanCount !== undefined && { spanCount }),
    ...(errorCount !== undefined && { errorCount }),
    services: [...new Set([...known.services, ...other.services])],
    providerIds: [...new Set([...known.providerIds, providerId])],
  };
}

function most(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function newestFirst(a: TraceSummary, b: TraceSummary): number {
  if (a.start === b.start) return a.traceId < b.traceId ? -1 : 1;
  return a.start > b.start ? -1 : 1;
}

/** Say of each trace among these spans what a list of traces says. */
export function summarize(spans: readonly Span[]): TraceSummary[] {
  const byTrace = new Map<string, Span[]>();
  for (const span of spans) {
    const own = byTrace.get(span.traceId) ?? [];
    own.push(span);
    byTrace.set(span.traceId, own);
  }
  return [...byTrace].map(([traceId, own]) => summaryOf(traceId, own));
}

function summaryOf(traceId: string, spans: readonly Span[]): TraceSummary {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentId }) => parentId === undefined || !ids.has(parentId));
  const root = (roots.length > 0 ? roots : spans).reduce((a, b) => (b.start < a.start ? b : a));
  const start = spans.reduce(
    (least, span) => (span.start < least ? span.start : least),
    root.start,
  );
  const end = spans.reduce((latest, span) => {
    const own = span.start + span.durationNs;
    return own > latest ? own : latest;
  }, start);
  return {
    ...{ traceId, start },
    rootService: root.service,
    rootName: root.name,
    durationNs: end - start,
    spanCount: spans.length,
    errorCount: spans.filter(({ isError }) => isError).length,
    services: [...new Set(spans.map(({ service }) => service))],
  };
}

/** Spans of several providers, each once. */
export function uniteSpans(lists: readonly (readonly Span[])[]): {
  readonly spans: readonly Span[];
  readonly dropped: number;
} {
  const byId = new Map<string, Span>();
  let dropped = 0;
  for (const span of lists.flat()) {
    const id = `${span.traceId} ${span.spanId}`;
    if (byId.has(id)) dropped += 1;
    else byId.set(id, span);
  }
  const spans = [...byId.values()].sort((a, b) => {
    if (a.start === b.start) return 0;
    return a.start < b.start ? -1 : 1;
  });
  return { spans, dropped };
}
