import {
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { OwnSpan } from '#contract/telemetry/own-telemetry';

/** What all records of this process share. */
export interface Origin {
  readonly resource: Resource;
  readonly scope: { readonly name: string; readonly version: string };
  /** Whether spans say what they are in the words of OpenInference too. */
  readonly forModels: boolean;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Attributes that are numbers in OpenTelemetry's conventions. */
const numbers = new Set(['http.response.status_code', 'server.port', 'http.request.resend_count']);

/** Write a span as the SDK takes it to an exporter. */
export function spanRecord(span: OwnSpan, { resource, scope, forModels }: Origin): ReadableSpan {
  const { traceId, spanId, parentId, name, kind, startMs, durationMs, errorType } = span;
  const context = contextOf(traceId, spanId);
  return {
    name,
    kind: kinds[kind],
    spanContext: () => context,
    ...(parentId !== undefined && { parentSpanContext: contextOf(traceId, parentId) }),
    startTime: hrTime(startMs),
    endTime: hrTime(startMs + durationMs),
    duration: hrTime(durationMs),
    status: { code: errorType === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: forModels ? withOpenInference(attributesOf(span)) : attributesOf(span),
    links: (span.links ?? []).map(
      (link): Link => ({ context: contextOf(link.traceId, link.spanId) }),
    ),
    ...{ events: [], ended: true, resource, instrumentationScope: { ...scope } },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };
}

function attributesOf({ attributes, tenant }: OwnSpan): Record<string, string | number> {
  const typed: Record<string, string | number> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) typed[name] = numbers.has(name) ? Number(value) : value;
  }
  if (tenant !== undefined) typed['service.tenant'] = tenant;
  return typed;
}

/** Calls of tools as tools that show traces of models know them (OpenInference, semantic conventions). */
function withOpenInference(attributes: Record<string, string | number>) {
  if (attributes['gen_ai.operation.name'] !== 'execute_tool') return attributes;
  attributes['openinference.span.kind'] = 'TOOL';
  attributes['tool.name'] = attributes['gen_ai.tool.name'] ?? '';
  return attributes;
}

/** It is exported, so it was sampled. */
export function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: 1 };
}

/** Seconds and nanoseconds. */
export function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
