import type { PipelineSignal } from '../collector-file/file.ts';

const all: readonly PipelineSignal[] = ['logs', 'metrics', 'traces', 'profiles'];
const classic: readonly PipelineSignal[] = ['logs', 'metrics', 'traces'];

/** Which signals each component takes, as `<role>/<type>`; what does not stand here is not known. */
export const supportedSignals: Readonly<Record<string, readonly PipelineSignal[]>> = {
  'receiver/otlp': all,
  'receiver/faro': ['logs', 'traces'],
  'processor/memory_limiter': all,
  'processor/filter': classic,
  'processor/deltatocumulative': ['metrics'],
  'exporter/otlp_http': all,
  'exporter/otlp_grpc': all,
  'exporter/prometheus_remote_write': ['metrics'],
  'exporter/clickhouse': classic,
  'exporter/elasticsearch': classic,
  'exporter/datadog': classic,
};
