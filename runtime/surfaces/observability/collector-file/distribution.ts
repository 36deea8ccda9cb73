/** Components that the distribution `otelcol` has, of those that a file may need. */
const core = [
  'receiver/otlp',
  'processor/memory_limiter',
  'processor/batch',
  'processor/filter',
  'exporter/otlp_http',
  'exporter/otlp_grpc',
  'exporter/prometheus_remote_write',
  'exporter/debug',
  'exporter/file',
  'extension/health_check',
  'extension/zpages',
];

/** And `otelcol-contrib`. */
const contrib = [
  ...core,
  'receiver/faro',
  'processor/deltatocumulative',
  'exporter/clickhouse',
  'exporter/elasticsearch',
  'exporter/datadog',
  'extension/file_storage',
];

const distributions: Readonly<Record<string, readonly string[]>> = { core, contrib };

/** Which components there are, as `<role>/<type>`: those of a distribution, and single ones. */
export function componentsIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => distributions[name] ?? [name]));
}
