import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Environment } from '#contract/config';
import { type Config, readConfig } from '../generated/config.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { RunningCalls } from './admission/running-calls.ts';
import { Catalogue, toolsInMemory } from './catalogue.ts';
import { createHttpServer } from './http/server.ts';
import { createLog } from './log.ts';
import { McpEndpoint } from './mcp/endpoint.ts';
import { createMetrics } from './metrics.ts';
import { nearestName } from './nearest-name.ts';
import { createPlatform } from './surfaces/platform/index.ts';
import { version } from './version.ts';

/** The whole service, put together and not started. */
export interface Service {
  readonly config: Config;
  readonly log: Logger;
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly catalogue: Catalogue;
  readonly mcp: McpEndpoint;
  readonly http: FastifyInstance;
  /** Close what the service holds open besides the HTTP server. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Put the service together.
 *
 * @throws ConfigError
 */
export async function createService(env: Environment): Promise<Service> {
  const { config, warnings } = readConfig(env, {
    providers: {},
    readFile: (path) => readFileSync(path, 'utf8'),
    nearest: (name, known) => nearestName(name, known) ?? '',
  });
  const log = createLog(config.logLevel);
  for (const warning of warnings) log.warn(warning);

  const metrics = createMetrics();
  const running = new RunningCalls(config.callTimeoutMs);
  const admission = createAdmission(config);

  const platform = createPlatform({ version, metrics, dependencies: [], providers: [] });
  const catalogue = new Catalogue(
    [{ id: 'platform', title: 'This server', tools: toolsInMemory(platform.tools) }],
    admission,
  );

  const parts = { ...config, log, metrics, running, admission };
  const mcp = new McpEndpoint({ ...parts, catalogue, path: config.mcpPath });
  const http = createHttpServer({ ...parts, mcp, routes: platform.routes });
  return { config, log, admission, running, catalogue, mcp, http, close: async () => {} };
}
