import type { Collected, GateMaker, OtlpAttribute } from '#contract/telemetry/browser-gate';
import type { Embedded } from '../embedded/embedded.ts';
import { limits } from '../embedded/numbers.ts';
import { readOtlp } from '../query/answers/read-traces.ts';

/** Keep what a page has sent with the telemetry of the server: its logs, and the spans of its traces. */
export function keepCollected(
  embedded: Pick<Embedded, 'addLine' | 'addSpan'>,
  tenant: string,
  collected: Collected,
  { logsOf }: Pick<GateMaker, 'logsOf'>,
): void {
  for (const { resource, scopeLogs } of logsOf(collected).resourceLogs) {
    const about = textsOf(resource?.attributes);
    for (const { logRecords = [] } of scopeLogs ?? []) {
      for (const { timeUnixNano, severityText, body, attributes, traceId, spanId } of logRecords) {
        const time = /^\d{1,19}$/.test(timeUnixNano) ? BigInt(timeUnixNano) : 0n;
        embedded.addLine(tenant, {
          ...{ time, level: String(severityText || 'info').toLowerCase(), source: 'browser' },
          service: serviceOf(about['service.name']),
          body: String(body?.stringValue ?? '').slice(0, limits.bodyCharacters),
          ...(isHex(traceId, 32) && { traceId }),
          ...(isHex(spanId, 16) && { spanId }),
          attributes: { ...about, ...textsOf(attributes) },
        });
      }
    }
  }
  const { kind, payload } = collected;
  const traces = kind === 'faro' ? payload['traces'] : payload;
  if (traces === undefined || kind === 'logs' || kind === 'metrics') return;
  const read = readOtlp(traces);
  if (read.holds !== 'spans') return;
  for (const span of read.spans.slice(0, limits.answeredSpans)) {
    if (!isHex(span.traceId, 32) || !isHex(span.spanId, 16)) continue;
    const { attributes, service, ...rest } = span;
    embedded.addSpan(tenant, {
      ...{ ...rest, kind: 'client', source: 'browser' },
      ...{ service: serviceOf(service), attributes: bounded(attributes) },
    });
  }
}

/** What a page calls itself; the gate has seen to it that this is no name of the server. */
function serviceOf(name: string | undefined): string {
  return name?.trim() || 'browser';
}

function isHex(text: unknown, digits: number): text is string {
  return typeof text === 'string' && text.length === digits && /^[0-9a-f]+$/.test(text);
}

/** OTLP of a page is checked for its shape alone: what it holds may be anything. */
function textsOf(list: readonly OtlpAttribute[] | undefined): Record<string, string> {
  if (!Array.isArray(list)) return {};
  return bounded(
    Object.fromEntries(
      list.map(({ key, value }: OtlpAttribute) => [
        String(key),
        String(Object.values(value ?? {})[0] ?? ''),
      ]),
    ),
  );
}

function bounded(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(attributes).slice(0, limits.attributes);
  return Object.fromEntries(
    kept.map(([name, value]) => [name.slice(0, 128), value.slice(0, limits.attributeCharacters)]),
  );
}
