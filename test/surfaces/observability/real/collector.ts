import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { freePorts, programAt, startProgram } from './programs.ts';

/** Where a collector of a test is, and what a server has to be told of it. */
export interface CollectorPlace {
  readonly folder: string;
  readonly config: string;
  readonly pidFile: string;
  readonly otlp: string;
  readonly healthUrl: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The program that `collector-builder.yaml` describes. */
export function collectorProgram(): string {
  return programAt(process.env['OTEL_COLLECTOR']);
}

/** Find a place for a collector that does not run yet. */
export async function collectorPlace(t: Pick<TestContext, 'after'>): Promise<CollectorPlace> {
  const folder = temporaryDirectory(t);
  const [grpc, http, health, metrics] = await freePorts(4);
  const config = join(folder, 'collector.yaml');
  const pidFile = join(folder, 'collector.pid');
  const healthUrl = `http://127.0.0.1:${health}/`;
  return {
    ...{ folder, config, pidFile, healthUrl, otlp: `http://127.0.0.1:${http}` },
    env: {
      SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH: config,
      SERVICE_COLLECTOR_BINARY: collectorProgram(),
      SERVICE_COLLECTOR_GRPC_ENDPOINT: `127.0.0.1:${grpc}`,
      SERVICE_COLLECTOR_HTTP_ENDPOINT: `127.0.0.1:${http}`,
      SERVICE_COLLECTOR_METRICS_ENDPOINT: `127.0.0.1:${metrics}`,
      SERVICE_COLLECTOR_HEALTH_URL: healthUrl,
      SERVICE_COLLECTOR_RELOAD_PID: pidFile,
    },
  };
}

/** A collector that runs from the file at its place, until the test ends. */
export interface RunningCollector {
  readonly ended: Promise<unknown>;
  kill(): Promise<void>;
}

/** Start it, as a supervisor would, and wait until it is healthy. */
export async function runCollector(
  t: Pick<TestContext, 'after'>,
  { folder, config, pidFile, healthUrl }: CollectorPlace,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCollector> {
  const child = spawn(collectorProgram(), [`--config=${config}`], {
    env: { SERVICE_COLLECTOR_QUEUE_DIR: join(folder, 'queue'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (piece) => {
    said = `${said}${piece}`.slice(-4000);
  });
  t.after(() => end(child, ended));
  writeFileSync(pidFile, `${child.pid}\n`);
  while (!(await isHealthy(healthUrl))) {
    if (child.exitCode !== null) throw new Error(`the collector has ended: ${said}`);
    await sleep(50);
  }
  return { ended, kill: () => end(child, ended) };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await ended;
}

/** A back end that keeps what it is sent over OTLP in a file: another collector. */
export async function startSink(t: Pick<TestContext, 'after'>, port?: number) {
  const folder = temporaryDirectory(t);
  const [free, health] = await freePorts(2);
  const http = port ?? free;
  const kept = join(folder, 'kept.json');
  const config = join(folder, 'sink.yaml');
  writeFileSync(kept, '');
  writeFileSync(
    config,
    `extensions: {health_check: {endpoint: 127.0.0.1:${health}}}
receivers: {otlp: {protocols: {http: {endpoint: 127.0.0.1:${http}}}}}
exporters: {file: {path: ${kept}, flush_interval: 50ms}}
service:
  extensions: [health_check]
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [file]}
    logs: {receivers: [otlp], exporters: [file]}
    metrics: {receivers: [otlp], exporters: [file]}
`,
  );
  const running = await startProgram(t, {
    binary: collectorProgram(),
    args: [`--config=${config}`],
    ...{ url: `http://127.0.0.1:${http}`, ready: `http://127.0.0.1:${health}/` },
  });
  const text = () => readFileSync(kept, 'utf8');
  return {
    ...running,
    text,
    /** Ids of all spans that came. */
    spans: () => new Set([...text().matchAll(/"spanId":"([0-9a-f]{16})"/g)].map(([, id]) => id)),
  };
}
