import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError, type Environment } from '#contract/config/config';
import type { Witness } from '#contract/house/witness';
import type { Provider } from '#contract/provider';
import type { BoundRoute } from '#contract/surface/surface';
import type { Config } from '../generated/config.ts';
import { providers as registry } from '../generated/providers.ts';
import { skills as ownSkills } from '../generated/skills.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { Approvals } from './admission/confirm/approvals.ts';
import { confirmTokens } from './admission/confirm/confirm-tokens.ts';
import { approvalPage } from './admission/confirm/page-address.ts';
import { RequestStates } from './admission/confirm/sealed-state.ts';
import { RunningCalls } from './admission/running-calls.ts';
import { type AuditLogOptions, openAuditLog } from './audit/index.ts';
import { type AuditAccess, auditSettings, createAuditAccess } from './audit/wiring/audit-access.ts';
import { createAuditAnchors } from './audit/wiring/audit-anchors.ts';
import { createLogWitness } from './audit/wiring/audit-witnesses.ts';
import { createHttpServer } from './http/server.ts';
import { createJobs, type OwnedJobs } from './jobs/index.ts';
import { McpEndpoint } from './mcp/endpoint.ts';
import { clientForms } from './mcp/profiles/client-forms.ts';
import { Dialogue } from './mcp/request/dialogue.ts';
import { InnerCalls } from './mcp/request/inner-calls.ts';
import type { SessionSettings } from './mcp/sessions/session-table.ts';
import { Tasks } from './mcp/tasks/tasks.ts';
import { createLog } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { Catalogue, type ToolSource, toolsInMemory } from './offer/catalogue.ts';
import { Changes } from './offer/changes.ts';
import { type PromptSource, Prompts } from './offer/prompts.ts';
import { type ResourceSource, Resources } from './offer/resources.ts';
import { Skills, skillLibrary } from './offer/skills.ts';
import { chooseToolMode } from './offer/tool-mode.ts';
import { createOutbound, type Outbound } from './outbound/index.ts';
import { createPages } from './pages/index.ts';
import { readConfiguration } from './process/configuration.ts';
import { createKeys } from './process/secret-key.ts';
import { version } from './process/version.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { ToolSearch } from './search/tool-search.ts';
import { readDatabaseUrl } from './store/database-url.ts';
import { createStore, type OwnedStore } from './store/index.ts';
import { createApprovals } from './surfaces/approvals/index.ts';
import { createAudit } from './surfaces/audit/index.ts';
import { createPlatform } from './surfaces/platform/index.ts';
import { createToolFront } from './surfaces/tool-front.ts';
import { parseProviderAuth } from './vendors/provider-auth.ts';
import { loadProviders, providerSkills, providerStatus, vendorTools } from './vendors/vendors.ts';

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
  readonly prompts: Prompts;
  readonly mcp: McpEndpoint;
  readonly http: FastifyInstance;
  /** Not open: only what serves or needs state opens it. */
  readonly store: OwnedStore;
  readonly jobs: OwnedJobs;
  /** Not open either. */
  readonly audit: AuditAccess;
  readonly auditOptions: AuditLogOptions;
  /** Absent where no logs of others are watched. */
  readonly witness: Witness | undefined;
  /** Whether somebody's work is being done. */
  isBusy(): boolean;
  /** Finds tools, however they are shown. */
  readonly search: ToolSearch;
  /** Absent where no scripts are run. */
  readonly sandbox: Sandbox | undefined;
}

/** What a part of the server has to offer over MCP. */
export type Source = ToolSource & ResourceSource & PromptSource;

/**
 * Put the service together, with the tools, resources and prompts of `more` sources.
 *
 * @throws ConfigError
 */
export async function createService(
  env: Environment,
  more: readonly Source[] = [],
): Promise<Service> {
  const { config, warnings } = readConfiguration(env);
  const log = createLog(config.logLevel);
  const metrics = createMetrics();

  const databaseUrl = readDatabaseUrl(config.databaseUrl);
  const store = createStore({ dataDir: config.dataDir, databaseUrl });
  const jobs = createJobs(store, { log });
  const auditOptions: AuditLogOptions = {
    ...auditSettings(config),
    databaseUrl,
    anchors: createAuditAnchors(config),
    report: (message, error) => log.error({ err: error }, message),
  };
  const audit = createAuditAccess(() => openAuditLog(auditOptions));

  const outbound = createOutbound({
    version,
    contact: config.contact,
    ownUrl: config.baseUrl,
    allow: config.outboundAllow,
    env,
    authJson: parseProviderAuth(config.providerAuthJson, registry),
    baseUrls: new Map(Object.entries(config.providerUrl)),
  });
  const providers = await loadProviders(config.provider, registry);

  const platform = createPlatform({
    version,
    metrics,
    dependencies: [
      { name: 'store', check: () => store.check() },
      { name: 'audit', check: () => audit.isReady() },
    ],
    providers: providers.map((provider) => providerStatus(provider, outbound)),
    tools: {
      names: () => catalogue.names,
      find: async (name) => (await catalogue.find(name))?.definition,
    },
  });

  const keyOf = createKeys(config);
  const approvals = new Approvals({ store, jobs, events: audit.events });
  const witness = createLogWitness(config, store, log);
  const auditSurface = createAudit({ ...audit, witness });
  const approvalSurface = createApprovals({
    desk: approvals,
    pages: createPages({
      key: () => keyOf('page form'),
      isSecure: config.baseUrl?.startsWith('https:') ?? false,
    }),
  });
  const routes = [...platform.routes, ...auditSurface.routes, ...approvalSurface.routes];
  requireFreePath(config.mcpPath, routes);

  const confirm = {
    approvals,
    tokens: confirmTokens(new RequestStates(() => keyOf('confirm token'))),
    pageOf: (id: string) => approvalPage(http, config.baseUrl, id),
    patienceMs: Math.min(20_000, config.callTimeoutMs / 2),
  };
  const admission = createAdmission({
    ...config,
    confirm,
    audit: {
      events: audit.events,
      onLoss: (error, operation) =>
        log.error({ err: error, operation }, 'a call is missing from the audit log'),
    },
  });
  const running = new RunningCalls(config.callTimeoutMs);
  const skills = new Skills([...ownSkills, ...providerSkills(providers, registry)]);
  const sources: Source[] = [
    {
      ...platform,
      id: 'platform',
      title: 'This server',
      tools: toolsInMemory(platform.tools),
      library: skillLibrary(skills),
    },
    { id: 'audit', title: 'Audit log', tools: toolsInMemory(auditSurface.tools) },
    ...providers.map((provider) => vendorTools(provider, registry[provider.id], outbound)),
    ...more,
  ];
  const changes = new Changes();
  const catalogue = new Catalogue(sources, admission, changes);
  const resources = new Resources(sources, admission);
  const prompts = new Prompts(sources, admission, changes);

  const search = new ToolSearch(catalogue);
  const calls = new InnerCalls({ catalogue, metrics, log });
  const toolMode = chooseToolMode(config.toolMode, catalogue.size);
  const { front, sandbox } = await createToolFront(toolMode, {
    ...config,
    catalogue,
    search,
    calls,
    forms: clientForms,
    log,
  });
  if (front) catalogue.putInFront(front);

  const parts = { ...config, log, metrics, admission, running };
  const dialogue = new Dialogue(new RequestStates(() => keyOf('request state')));
  const tasks = new Tasks({
    ...parts,
    store,
    jobs,
    approvals,
    catalogue,
    changes,
    ttlMs: config.taskTtlMs,
    mostOpen: config.taskLimit,
    graceMs: config.shutdownTimeoutMs,
  });
  const mcp = new McpEndpoint({
    ...parts,
    catalogue,
    resources,
    prompts,
    dialogue,
    tasks,
    skills,
    sessions: sessionSettings(config),
  });
  const http = createHttpServer({ ...parts, mcp, routes });

  return {
    ...parts,
    store,
    jobs,
    audit,
    auditOptions,
    witness,
    config,
    warnings,
    providers,
    outbound,
    catalogue,
    prompts,
    mcp,
    http,
    isBusy: () => running.size > 0 || tasks.running > 0,
    search,
    sandbox,
  };
}

function sessionSettings(config: Config): SessionSettings | undefined {
  const { mcpSessions, mcpSessionLimit, mcpSessionIdleMs, mcpStreamTimeMs } = config;
  if (!mcpSessions) return undefined;
  return { limit: mcpSessionLimit, idleMs: mcpSessionIdleMs, streamMs: mcpStreamTimeMs };
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
