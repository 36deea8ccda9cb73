import { isObject, valueAt } from '#contract/json';
import type { TelemetryAnswer } from '#contract/telemetry/kind';
import { parseNanoseconds } from '../ask/time-text.ts';
import { attributesOf, firstAt, hexId, textAt } from './fields.ts';
import { listOf } from './read-logs.ts';
import { type Content, type Span, type TraceSummary, UnusableAnswer } from './rows.ts';
import { visibleText } from './visible-text.ts';

const nsPerMs = 1_000_000n;

/** Traces without their spans (Tempo, search). */
export function readSummaries(list: unknown): Content {
  const traces = listOf(list ?? []).map((item): TraceSummary => {
    const traceId = hexId(textAt(item, [['traceID']]), 32);
    const start = parseNanoseconds(valueAt(item, ['startTimeUnixNano']), 'ns');
    if (traceId === undefined || start === undefined) {
      throw new UnusableAnswer('a trace has no id or no start');
    }
    const rootService = textAt(item, [['rootServiceName']]);
    const rootName = textAt(item, [['rootTraceName']]);
    const duration = valueAt(item, ['durationMs']);
    const stats = valueAt(item, ['serviceStats']);
    const counts = isObject(stats) ? Object.values(stats) : [];
    return {
      ...{ traceId, start },
      ...(rootService !== undefined && { rootService }),
      ...(rootName !== undefined && { rootName }),
      durationNs: typeof duration === 'number' ? BigInt(Math.round(duration)) * nsPerMs : 0n,
      ...(counts.length > 0 && {
        spanCount: sum(counts, 'spanCount'),
        errorCount: sum(counts, 'errorCount'),
      }),
      services: isObject(stats) ? Object.keys(stats).map(visibleText) : [rootService ?? []].flat(),
    };
  });
  return { holds: 'traces', traces };
}

function sum(stats: readonly unknown[], name: string): number {
  return stats.reduce<number>((total, each) => total + Number(valueAt(each, [name]) ?? 0), 0);
}

/** Traces with their spans and processes (Jaeger, version 1 of its query service). */
export function readJaeger(list: unknown): Content {
  const spans = listOf(list).flatMap((trace) => {
    const processes = valueAt(trace, ['processes']);
    return listOf(valueAt(trace, ['spans'])).map((span) => jaegerSpan(span, processes));
  });
  return { holds: 'spans', spans };
}

function jaegerSpan(span: unknown, processes: unknown): Span {
  const traceId = hexId(textAt(span, [['traceID']]), 32);
  const spanId = hexId(textAt(span, [['spanID']]), 16);
  const start = parseNanoseconds(valueAt(span, ['startTime']), 'us');
  if (traceId === undefined || spanId === undefined || start === undefined) {
    throw new UnusableAnswer('a span has no id or no start');
  }
  const references = valueAt(span, ['references']);
  const parent = Array.isArray(references)
    ? references.find((each) => valueAt(each, ['refType']) === 'CHILD_OF')
    : undefined;
  const parentId = hexId(textAt(parent, [['spanID']]), 16);
  const process = valueAt(processes, [String(valueAt(span, ['processID']) ?? '')]);
  const attributes = keyValues(valueAt(span, ['tags']), 'value');
  return {
    ...{ traceId, spanId, start, attributes },
    ...(parentId !== undefined && { parentId }),
    name: textAt(span, [['operationName']]) ?? '',
    service: textAt(process, [['serviceName']]) ?? '',
    durationNs: parseNanoseconds(valueAt(span, ['duration']), 'us') ?? 0n,
    isError: attributes['error'] === 'true' || attributes['error'] === 'error',
  };
}

/** Spans in the form of OTLP (opentelemetry-proto, trace/v1, JSON). */
export function readOtlp(value: unknown): Content {
  const resources = valueAt(value, ['resourceSpans']) ?? valueAt(value, ['batches']) ?? [];
  const spans = listOf(resources).flatMap((resource) => {
    const shared = keyValues(valueAt(resource, ['resource', 'attributes']), 'value');
    const scopes = listOf(valueAt(resource, ['scopeSpans']) ?? []);
    return scopes.flatMap((scope) =>
      listOf(valueAt(scope, ['spans']) ?? []).map((span) => otlpSpan(span, shared)),
    );
  });
  return { holds: 'spans', spans };
}

function otlpSpan(span: unknown, resource: Readonly<Record<string, string>>): Span {
  const start = parseNanoseconds(valueAt(span, ['startTimeUnixNano']), 'ns');
  const end = parseNanoseconds(valueAt(span, ['endTimeUnixNano']), 'ns');
  const traceId = otlpId(textAt(span, [['traceId']]), 32);
  const spanId = otlpId(textAt(span, [['spanId']]), 16);
  if (traceId === undefined || spanId === undefined || start === undefined) {
    throw new UnusableAnswer('a span has no id or no start');
  }
  const parentId = otlpId(textAt(span, [['parentSpanId']]), 16);
  const status = valueAt(span, ['status', 'code']);
  return {
    ...{ traceId, spanId, start },
    ...(parentId !== undefined && { parentId }),
    name: textAt(span, [['name']]) ?? '',
    service: resource['service.name'] ?? '',
    durationNs: end === undefined || end < start ? 0n : end - start,
    isError: status === 2 || status === 'STATUS_CODE_ERROR',
    attributes: keyValues(valueAt(span, ['attributes']), 'value'),
  };
}

/** OTLP writes ids in hex; what comes from protobuf by way of its JSON mapping has them in base64. */
function otlpId(text: string | undefined, digits: 16 | 32): string | undefined {
  const isHex = text === undefined || /^[0-9a-fA-F]*$/.test(text);
  if (isHex) return hexId(text, digits);
  const hex = Buffer.from(text, 'base64').toString('hex');
  return hex.length === digits ? hex : text;
}

/** `[{ key, value }]`, where the value may be wrapped in its type, as texts by key. */
function keyValues(list: unknown, name: string): Record<string, string> {
  if (!Array.isArray(list)) return {};
  return Object.fromEntries(
    list.map((each) => {
      const value = valueAt(each, [name]);
      const inner = isObject(value) ? Object.values(value)[0] : value;
      const text = typeof inner === 'string' ? inner : JSON.stringify(inner ?? null);
      return [visibleText(String(valueAt(each, ['key']))), visibleText(text)];
    }),
  );
}

/** One span in each record. */
export function readSpans(list: unknown, { row = [], fields = {} }: TelemetryAnswer): Content {
  const spans = listOf(list).map((item): Span => {
    const record = row.length === 0 ? item : valueAt(item, row);
    const time = (field: typeof fields.timestamp) =>
      field && parseNanoseconds(firstAt(record, field.paths), field.unit);
    const start = time(fields.timestamp);
    const traceId = hexId(textAt(record, fields.traceId), 32);
    const spanId = hexId(textAt(record, fields.spanId), 16);
    if (traceId === undefined || spanId === undefined || start === undefined) {
      throw new UnusableAnswer('a span has no id or no start');
    }
    const end = time(fields.end);
    const lasted = end === undefined || end < start ? 0n : end - start;
    const parentId = hexId(textAt(record, fields.parentId), 16);
    return {
      ...{ traceId, spanId, start },
      ...(parentId !== undefined && !/^0+$/.test(parentId) && { parentId }),
      name: textAt(record, fields.name) ?? '',
      service: textAt(record, fields.service) ?? '',
      durationNs: time(fields.duration) ?? lasted,
      isError: /error/i.test(textAt(record, fields.status) ?? ''),
      attributes: attributesOf(record, fields),
    };
  });
  return { holds: 'spans', spans };
}
