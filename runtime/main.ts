import { readFileSync } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError, type Environment } from '#contract/config';
import type { Provider, SearchDocument } from '#contract/provider';
import type { BoundRoute } from '#contract/surface';
import { type Config, readConfig } from '../generated/config.ts';
import { providers as registry } from '../generated/providers.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { RunningCalls } from './admission/running-calls.ts';
import { Catalogue, toolsInMemory } from './catalogue.ts';
import { createHttpServer } from './http/server.ts';
import { createLog } from './log.ts';
import { McpEndpoint } from './mcp/endpoint.ts';
import { createMetrics } from './metrics.ts';
import { createOutbound, type Outbound } from './outbound/index.ts';
import { parseProviderAuth } from './provider-auth.ts';
import { createPlatform } from './surfaces/platform/index.ts';
import { loadProviders, providerStatus, searchDocuments, vendorTools } from './vendors.ts';
import { version } from './version.ts';

/** The whole service, put together and not started. */
export interface Service {
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly log: Logger;
  readonly providers: readonly Provider[];
  readonly outbound: Outbound;
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly catalogue: Catalogue;
  readonly mcp: McpEndpoint;
  readonly http: FastifyInstance;
  /** What a search over the tools reads. */
  documents(): Promise<readonly SearchDocument[]>;
}

/**
 * Put the service together.
 *
 * @throws ConfigError
 */
export async function createService(env: Environment): Promise<Service> {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const surroundings = { providers: registry, readFile, nearest: closest };
  const { config, warnings } = readConfig(env, surroundings);
  const log = createLog(config.logLevel);
  const metrics = createMetrics();

  const outbound = createOutbound({
    version,
    contact: config.contact,
    allow: config.outboundAllow,
    env,
    authJson: parseProviderAuth(config.providerAuthJson, registry),
    baseUrls: new Map(Object.entries(config.providerUrl)),
  });
  const providers = await loadProviders(config.provider, registry);

  const platform = createPlatform({
    version,
    metrics,
    dependencies: [],
    providers: providers.map((provider) => providerStatus(provider, outbound)),
  });

  requireFreePath(config.mcpPath, platform.routes);
  const admission = createAdmission(config);
  const running = new RunningCalls(config.callTimeoutMs);
  const sources = [
    { id: 'platform', title: 'This server', tools: toolsInMemory(platform.tools) },
    ...providers.map((provider) => vendorTools(provider, outbound)),
  ];
  const catalogue = new Catalogue(sources, admission);

  const parts = { ...config, log, metrics, admission, running };
  const mcp = new McpEndpoint({ ...parts, catalogue });
  const http = createHttpServer({ ...parts, mcp, routes: platform.routes });

  const documents = () => searchDocuments(platform.tools, providers, registry);
  return { ...parts, config, warnings, providers, outbound, catalogue, mcp, http, documents };
}

/** Where MCP is served, no route of a surface would ever be reached. */
function requireFreePath(mcpPath: string, routes: readonly BoundRoute[]): void {
  const taken = routes.find(({ route }) => matches(route.path, mcpPath));
  if (!taken) return;
  const expected = `a path that is not taken by ${taken.route.name}`;
  throw new ConfigError([{ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) }]);
}

/** Whether `path` fits a path with `{name}` for each parameter. */
function matches(template: string, path: string): boolean {
  const steps = path.split('/');
  const wanted = template.split('/');
  return (
    wanted.length === steps.length &&
    wanted.every((step, index) => step.includes('{') || step === steps[index])
  );
}
