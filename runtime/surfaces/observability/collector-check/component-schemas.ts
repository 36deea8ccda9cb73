import type { JsonSchema } from '#contract/json';

const text = { type: 'string', minLength: 1 } as const;
const port = { type: 'string', pattern: '^[^\\s/]+:[0-9]{1,5}$' } as const;
const url = { type: 'string', pattern: '^https?://[^\\s]+$' } as const;
const duration = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const flag = { type: 'boolean' } as const;

function closed(properties: object, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

const tls = closed({
  insecure: flag,
  insecure_skip_verify: flag,
  ca_file: text,
  cert_file: text,
  key_file: text,
  server_name_override: text,
});
const headers = { type: 'object', additionalProperties: { type: 'string' } } as const;
const retry_on_failure = closed({ enabled: flag, max_elapsed_time: duration });
const sending_queue = closed({
  storage: text,
  queue_size: count,
  batch: closed({ flush_timeout: duration, min_size: count, max_size: count }),
});
const sending = { tls, headers, retry_on_failure, sending_queue };

/** How the settings of each component look that a file may have, as `<role>/<type>`. */
export const componentSchemas: Readonly<Record<string, JsonSchema>> = {
  'extension/health_check': closed({ endpoint: port, path: text }, ['endpoint']),
  'extension/file_storage': closed({ directory: text, create_directory: flag }, ['directory']),
  'receiver/otlp': closed(
    {
      protocols: closed({
        grpc: closed({ endpoint: port }),
        http: closed({ endpoint: port, max_request_body_size: count }),
      }),
    },
    ['protocols'],
  ),
  'receiver/faro': closed({ endpoint: port, max_request_body_size: count }, ['endpoint']),
  'processor/memory_limiter': closed(
    { check_interval: duration, limit_mib: count, spike_limit_mib: count },
    ['check_interval', 'limit_mib'],
  ),
  'processor/filter': closed({
    error_mode: { enum: ['ignore', 'silent', 'propagate'] },
    traces: closed({ span: { type: 'array', minItems: 1, items: text } }),
  }),
  'processor/deltatocumulative': closed({}),
  'exporter/otlp_http': {
    ...closed({
      ...sending,
      endpoint: url,
      logs_endpoint: url,
      metrics_endpoint: url,
      traces_endpoint: url,
      profiles_endpoint: url,
      compression: { enum: ['gzip', 'none', 'zstd', 'snappy'] },
      encoding: { enum: ['proto', 'json'] },
    }),
    minProperties: 1,
  },
  'exporter/otlp_grpc': closed({ ...sending, endpoint: port }, ['endpoint']),
  'exporter/prometheus_remote_write': closed(
    {
      ...{ endpoint: url, tls, headers, retry_on_failure },
      resource_to_telemetry_conversion: closed({ enabled: flag }),
      add_metric_suffixes: flag,
      remote_write_queue: closed({ enabled: flag, queue_size: count, num_consumers: count }),
    },
    ['endpoint'],
  ),
  'exporter/clickhouse': closed(
    { ...sending, endpoint: text, username: text, password: text, database: text },
    ['endpoint'],
  ),
  'exporter/elasticsearch': closed(
    {
      ...sending,
      endpoints: { type: 'array', minItems: 1, items: url },
      api_key: text,
      mapping: closed({ mode: text }),
    },
    ['endpoints'],
  ),
  'exporter/datadog': closed({ ...sending, api: closed({ key: text, site: text }) }, ['api']),
};
