import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import {
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { GuardRecord } from '#contract/telemetry/guard';
import type { OwnSpan } from '#contract/telemetry/own-telemetry';
import type { CollectedMetric } from '../metric.ts';
import { Batches, type Fate } from './batches.ts';
import { decisionRecord, guardName } from './decision-record.ts';
import { metricData } from './metric-data.ts';
import { headersOf, type OtlpSettings, signalUrl } from './otlp-settings.ts';
import { hrTime, type Origin, spanRecord } from './span-record.ts';

/** How long one export may take, the last one too. */
const exportMs = 5000;
/** Spans and records that wait; what is more is dropped. */
const mostWaiting = 2048;
/** OpenTelemetry SDK, batch processors: so many together, or those of so long. */
const batchSize = 512;
const gatherMs = 1000;

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
  fateOf: (signal: 'traces' | 'metrics' | 'logs') => Fate,
): Pipelines {
  const { serviceName, version, forModels } = settings;
  const attributes = { 'service.name': serviceName, 'service.version': version };
  const resource = resourceFromAttributes({
    ...attributes,
    // Without a project of its own, the spans of all services stand together there.
    ...(forModels && { 'openinference.project.name': serviceName }),
  });
  const origin: Origin = { resource, scope: { name: 'agent-tool-server', version }, forModels };
  const to = (signal: 'traces' | 'metrics' | 'logs') => ({
    url: signalUrl(settings, signal),
    headers: headersOf(settings),
    timeoutMillis: exportMs,
  });
  const batches = { mostWaiting, size: batchSize, gatherMs };
  const spans = new Batches(
    new OTLPTraceExporter(to('traces')),
    (span: OwnSpan) => spanRecord(span, origin),
    fateOf('traces'),
    batches,
  );
  const records = new Batches(
    new OTLPLogExporter(to('logs')),
    (record: ReadableLogRecord) => record,
    fateOf('logs'),
    batches,
  );
  const logs = new LoggerProvider({
    resource: resourceFromAttributes({ ...attributes, 'service.name': guardName }),
    processors: [
      {
        onEmit: (record) => records.add(record),
        forceFlush: () => records.flush(),
        shutdown: () => records.close(),
      },
    ],
  });
  const logger = logs.getLogger(origin.scope.name, version);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter(new OTLPMetricExporter(to('metrics')), fateOf('metrics')),
    exportIntervalMillis: settings.metricIntervalMs,
    exportTimeoutMillis: Math.min(exportMs, settings.metricIntervalMs),
    metricProducers: [producerOf(collect, origin)],
  });
  reader.setMetricProducer(nothingElse(origin));
  return {
    span: (span) => spans.add(span),
    decision: (record) => logger.emit(decisionRecord(record)),
    async close() {
      // What cannot be sent any more is lost, which must not keep the server from ending.
      await Promise.allSettled([spans.close(), logs.shutdown(), reader.shutdown()]);
    },
  };
}

/** Metrics that were not sent go along with the next ones: what is lost is how they were then. */
function metricExporter(exporter: OTLPMetricExporter, fate: Fate): PushMetricExporter {
  return {
    export(metrics, done) {
      exporter.export(metrics, (result) => {
        if (result.code === 0) fate.sent();
        else fate.lost(1, 'failed', result.error);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
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
