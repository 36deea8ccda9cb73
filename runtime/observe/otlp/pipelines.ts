import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { type MetricProducer, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { GuardRecord } from '#contract/telemetry/guard';
import type { OwnSpan } from '#contract/telemetry/own-telemetry';
import type { CollectedMetric } from '../metric.ts';
import { decisionRecord, guardName } from './decision-record.ts';
import { metricData } from './metric-data.ts';
import { headersOf, type OtlpSettings, signalUrl } from './otlp-settings.ts';
import { hrTime, type Origin, spanRecord } from './span-record.ts';

/** How long one export may take, the last one too. */
const exportMs = 5000;
/** Spans and records that wait; what is more is dropped. */
const mostWaiting = 2048;

/** What sends spans, metrics and records of decisions, each in batches. */
export interface Pipelines {
  span(span: OwnSpan): void;
  decision(record: GuardRecord): void;
  /** Send what waits, and end. */
  close(): Promise<void>;
}

/** Put the exporters of the OpenTelemetry SDK together; this module alone loads them. */
export function openPipelines(
  settings: OtlpSettings,
  collect: () => Promise<readonly CollectedMetric[]>,
): Pipelines {
  const { serviceName, version } = settings;
  const attributes = { 'service.name': serviceName, 'service.version': version };
  const resource = resourceFromAttributes(attributes);
  const origin: Origin = { resource, scope: { name: 'agent-tool-server', version } };
  const to = (signal: 'traces' | 'metrics' | 'logs') => ({
    url: signalUrl(settings, signal),
    headers: headersOf(settings),
    timeoutMillis: exportMs,
  });
  const batches = { maxQueueSize: mostWaiting, exportTimeoutMillis: exportMs };
  const spans = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(to('traces')),
    ...batches,
  });
  const logs = new LoggerProvider({
    resource: resourceFromAttributes({ ...attributes, 'service.name': guardName }),
    processors: [
      new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(to('logs')), ...batches }),
    ],
  });
  const logger = logs.getLogger(origin.scope.name, version);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('metrics')),
    exportIntervalMillis: settings.metricIntervalMs,
    exportTimeoutMillis: Math.min(exportMs, settings.metricIntervalMs),
    metricProducers: [producerOf(collect, origin)],
  });
  reader.setMetricProducer(nothingElse(origin));
  return {
    span: (span) => spans.onEnd(spanRecord(span, origin)),
    decision: (record) => logger.emit(decisionRecord(record)),
    async close() {
      // What cannot be sent any more is lost, which must not keep the server from ending.
      await Promise.allSettled([spans.shutdown(), logs.shutdown(), reader.shutdown()]);
    },
  };
}

function producerOf(
  collect: () => Promise<readonly CollectedMetric[]>,
  { resource, scope }: Origin,
): MetricProducer {
  const startTime = hrTime(performance.timeOrigin);
  return {
    async collect() {
      const span = { startTime, endTime: hrTime(Date.now()) };
      const metrics = (await collect()).map((each) => metricData(each, span));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

/** The reader wants an SDK that measures; here the metrics come from the shelf alone. */
function nothingElse({ resource }: Origin): MetricProducer {
  return {
    collect: async () => ({ resourceMetrics: { resource, scopeMetrics: [] }, errors: [] }),
  };
}
