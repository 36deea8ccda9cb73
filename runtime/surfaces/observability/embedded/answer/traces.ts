import { meetsSpan, sizeOf } from '../evaluate/find-spans.ts';
import { Pace } from '../evaluate/pace.ts';
import type { KeptSpan } from '../keep/kept.ts';
import { readTraceql } from '../language/traceql.ts';
import { limits } from '../numbers.ts';
import type { Asked } from './asked.ts';

/** The spans of the newest traces of which one span meets the conditions. */
export async function answerTraces({ keep, tenant, parameters, signal }: Asked): Promise<object> {
  const condition = readTraceql(parameters.get('q') ?? '{}');
  const start = BigInt(parameters.get('start') ?? 0);
  const end = BigInt(parameters.get('end') ?? 0);
  const spans = keep.spans(tenant);
  const newest = new Map<string, bigint>();
  const pace = new Pace(signal);
  const size = sizeOf(condition);
  for (const span of spans) {
    if (pace.isDue) await pace.rest();
    pace.spend(size);
    if (span.start < start || span.start >= end || !meetsSpan(condition, span)) continue;
    const known = newest.get(span.traceId);
    if (known === undefined || span.start > known) newest.set(span.traceId, span.start);
  }
  const counts = new Map<string, number>();
  for (const { traceId } of spans) counts.set(traceId, (counts.get(traceId) ?? 0) + 1);
  const wanted = [...newest].sort(([, a], [, b]) => (a > b ? -1 : 1));
  const most = Number(parameters.get('limit') ?? 20);
  const ids = new Set<string>();
  let room: number = limits.answeredSpans;
  for (const [id] of wanted.slice(0, most)) {
    room -= counts.get(id) ?? 0;
    if (room < 0 && ids.size > 0) break;
    ids.add(id);
  }
  const found = spans.filter(({ traceId }) => ids.has(traceId));
  const partial = room < 0;
  return { trace: otlp(found.slice(-limits.answeredSpans)), ...(partial && { partial }) };
}

/** All spans of one trace. */
export async function answerTrace({ keep, tenant }: Asked, id: string): Promise<object> {
  const spans = keep.spans(tenant).filter(({ traceId }) => traceId === id);
  const partial = spans.length > limits.answeredSpans;
  return { trace: otlp(spans.slice(0, limits.answeredSpans)), ...(partial && { partial }) };
}

/** Spans in the form of OTLP (opentelemetry-proto, trace/v1, JSON). */
function otlp(spans: readonly KeptSpan[]): object {
  const byService = Map.groupBy(spans, ({ service }) => service);
  return {
    resourceSpans: [...byService].map(([service, own]) => ({
      resource: { attributes: [textual('service.name', service)] },
      scopeSpans: [{ spans: own.map(otlpSpan) }],
    })),
  };
}

const kinds: Readonly<Record<string, number>> = { internal: 1, server: 2, client: 3 };

function otlpSpan(span: KeptSpan): object {
  return {
    ...{ traceId: span.traceId, spanId: span.spanId, name: span.name },
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    kind: kinds[span.kind] ?? 0,
    startTimeUnixNano: String(span.start),
    endTimeUnixNano: String(span.start + span.durationNs),
    attributes: Object.entries(span.attributes).map(([key, value]) => textual(key, value)),
    status: span.isError ? { code: 2 } : {},
  };
}

function textual(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}
