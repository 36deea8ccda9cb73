import type { CollectorOptions } from '../../../runtime/surfaces/observability/collector/collector-options.ts';

/** What an operator says of the collector who says nothing. */
export const collectorOptions: CollectorOptions = {
  ...{ grpcEndpoint: '127.0.0.1:4317', httpEndpoint: '127.0.0.1:4318', memoryLimitMib: 512 },
  ...{ healthUrl: 'http://127.0.0.1:13133/', metricsEndpoint: '127.0.0.1:8888' },
  ...{ browserEndpoint: undefined, components: ['contrib'], secretsDir: '/secrets' },
  queueDir: '/var/lib/collector/queue',
  secretPrefixes: ['OBS_', 'LLMTRACE_'],
};
