import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { freePorts, programAt, type RunningProgram, startProgram } from './programs.ts';

/** Grafana Loki with its data in a folder. */
export async function startLoki(t: TestContext): Promise<RunningProgram> {
  const folder = temporaryDirectory(t);
  const [port, grpc] = await freePorts(2);
  const config = join(folder, 'loki.yaml');
  writeFileSync(
    config,
    `auth_enabled: false
server: {http_listen_address: 127.0.0.1, http_listen_port: ${port}, grpc_listen_address: 127.0.0.1, grpc_listen_port: ${grpc}, log_level: error}
common:
  instance_addr: 127.0.0.1
  path_prefix: ${folder}
  replication_factor: 1
  ring: {kvstore: {store: inmemory}}
  storage: {filesystem: {chunks_directory: ${folder}/chunks, rules_directory: ${folder}/rules}}
ingester: {lifecycler: {min_ready_duration: 0s, final_sleep: 0s}}
schema_config: {configs: [{from: 2024-01-01, store: tsdb, object_store: filesystem, schema: v13, index: {prefix: index_, period: 24h}}]}
analytics: {reporting_enabled: false}
`,
  );
  return startProgram(t, {
    binary: programAt(process.env['LOKI_SERVER']),
    args: [`-config.file=${config}`],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/ready' },
  });
}

/** Jaeger, all in one process, and the address at which it takes OTLP over HTTP. */
export async function startJaeger(t: TestContext): Promise<RunningProgram & { otlp: string }> {
  const [query, queryGrpc, otlp, otlpGrpc, admin, collectorGrpc, collector] = await freePorts(7);
  const at = (port: number | undefined) => `127.0.0.1:${port}`;
  const running = await startProgram(t, {
    binary: programAt(process.env['JAEGER_SERVER']),
    args: [
      `--query.http-server.host-port=${at(query)}`,
      `--query.grpc-server.host-port=${at(queryGrpc)}`,
      `--collector.otlp.http.host-port=${at(otlp)}`,
      `--collector.otlp.grpc.host-port=${at(otlpGrpc)}`,
      `--admin.http.host-port=${at(admin)}`,
      `--collector.grpc-server.host-port=${at(collectorGrpc)}`,
      `--collector.http-server.host-port=${at(collector)}`,
    ],
    ...{ url: `http://${at(query)}`, ready: `http://${at(admin)}/` },
  });
  return { ...running, otlp: `http://${at(otlp)}` };
}

/** Prometheus, which looks at itself each second. */
export async function startPrometheus(t: TestContext): Promise<RunningProgram> {
  const folder = temporaryDirectory(t);
  const [port] = await freePorts(1);
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `global: {scrape_interval: 1s}
scrape_configs: [{job_name: itself, static_configs: [{targets: ['127.0.0.1:${port}']}]}]
`,
  );
  return startProgram(t, {
    binary: programAt('/usr/bin/prometheus'),
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/-/ready' },
  });
}

/** VictoriaMetrics, which shows what it has just been given. */
export async function startVictoriaMetrics(t: TestContext): Promise<RunningProgram> {
  const folder = temporaryDirectory(t);
  const [port] = await freePorts(1);
  mkdirSync(join(folder, 'data'));
  return startProgram(t, {
    binary: programAt('/usr/bin/victoria-metrics'),
    args: [
      `-storageDataPath=${join(folder, 'data')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      ...['-retentionPeriod=1', '-search.latencyOffset=0s', '-loggerLevel=ERROR'],
    ],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/health' },
  });
}
