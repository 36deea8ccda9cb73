import type { Logger } from 'pino';
import type { EventDoor } from '#contract/bus/events';
import type { Keys } from '#contract/house/house';
import type { SharedOutbound } from '#contract/house/outbound';
import type { Config } from '../../generated/config.ts';
import { Approvals } from '../admission/confirm/approvals.ts';
import { RunningCalls } from '../admission/running-calls.ts';
import { type Audit, createAudit } from '../audit/wiring/create-audit.ts';
import { createBus, isBusOn, type OwnedBus } from '../bus/create-bus.ts';
import { createJobs, type OwnedJobs } from '../jobs/index.ts';
import { createLog } from '../observe/log.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { createLosses } from '../observe/otlp/losses.ts';
import { OtlpExport } from '../observe/otlp/otlp-export.ts';
import { TelemetryFeed } from '../observe/own-telemetry.ts';
import { ProfileExport } from '../observe/profiles/profile-export.ts';
import { sampler } from '../observe/spans/sampling.ts';
import { Tracer } from '../observe/spans/tracer.ts';
import { createStrangers } from '../outbound/strangers/index.ts';
import { createKeys } from '../process/secret-key.ts';
import { parseTenants } from '../process/tenant/declared-tenants.ts';
import { tenantLimits } from '../process/tenant/tenants.ts';
import { version } from '../process/version.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import { createStore, type OwnedStore } from '../store/index.ts';

/** What works for all others. Nothing of it is open before the service is started. */
export interface Engines {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What the server says of itself; absent where nobody keeps it. */
  readonly feed: TelemetryFeed | undefined;
  /** Absent where nothing is traced. */
  readonly tracer: Tracer | undefined;
  /** Absent where the server sends nothing of itself. */
  readonly otlp: OtlpExport | undefined;
  /** Absent where the server is not profiled. */
  readonly profiles: ProfileExport | undefined;
  readonly keys: Keys;
  readonly store: OwnedStore;
  readonly jobs: OwnedJobs;
  readonly bus: OwnedBus;
  /** The bus for what the server publishes of its own; absent where it is not switched on. */
  readonly announcements: EventDoor | undefined;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly running: RunningCalls;
  readonly outbound: SharedOutbound;
}

/** @throws ConfigError */
export function createEngines(config: Config): Engines {
  const metrics = createMetrics();
  const feed = config.surfaces.observability.enabled
    ? new TelemetryFeed(() => metrics.samples())
    : undefined;
  const tracer = feed && createTracer(config, feed);
  const log = createLog(config.logLevel, feed && ((line) => feed.log(line)));
  const { otlp, profiles } = feed ? createExports(config, metrics, log) : {};
  if (otlp) feed?.follow(otlp);
  const databaseUrl = readDatabaseUrl(config.databaseUrl);
  const tenants = parseTenants(config.tenants);
  const store = createStore({ dataDir: config.dataDir, databaseUrl });
  const jobs = createJobs(store, { log });
  const bus = createBus(config, { store, jobs, log, metrics, databaseUrl });
  const announcements = isBusOn(config) ? bus : undefined;
  const audit = createAudit(config, { store, log, databaseUrl });
  return {
    log,
    metrics,
    feed,
    tracer,
    otlp,
    profiles,
    keys: createKeys(config),
    store,
    jobs,
    bus,
    announcements,
    audit,
    approvals: new Approvals({
      ...{ store, jobs, events: audit.events, announcements },
      onLoss: (err, operation) =>
        log.error({ err, operation }, 'what came of an approved call could not be stored'),
    }),
    running: new RunningCalls(config.callTimeoutMs, config.callLimit, tenantLimits(tenants)),
    outbound: createStrangers(config, tenants.length > 0),
  };
}

function createTracer({ surfaces }: Config, feed: TelemetryFeed): Tracer {
  const { tracesSampler, tracesRatio } = surfaces.observability;
  return new Tracer(sampler(tracesSampler, Number(tracesRatio)), (span) => feed.span(span));
}

function createExports({ surfaces }: Config, metrics: Metrics, log: Logger) {
  const { otlpEndpoint, profilesAddress } = surfaces.observability;
  if (otlpEndpoint === undefined && profilesAddress === undefined) return {};
  const fateOf = createLosses(metrics, log);
  return {
    otlp:
      otlpEndpoint === undefined
        ? undefined
        : createExport(surfaces, otlpEndpoint, metrics, fateOf),
    profiles:
      profilesAddress === undefined
        ? undefined
        : createProfiles(surfaces, profilesAddress, fateOf, log),
  };
}

function createExport(
  { observability }: Config['surfaces'],
  endpoint: string,
  metrics: Metrics,
  fateOf: ReturnType<typeof createLosses>,
): OtlpExport {
  const {
    otlpHeaders: headers,
    serviceName,
    metricInterval,
    llmTrace,
    llmTraceToo,
  } = observability;
  const settings = {
    ...{ endpoint, headers, serviceName, version },
    metricIntervalMs: metricInterval,
    forModels: llmTrace || llmTraceToo,
  };
  return new OtlpExport(settings, metrics, fateOf);
}

function createProfiles(
  { observability }: Config['surfaces'],
  address: string,
  fateOf: ReturnType<typeof createLosses>,
  log: Logger,
): ProfileExport {
  const { profilesToken, profilesUser, profilesPassword = '', profilesTenant } = observability;
  const basic =
    profilesUser &&
    `Basic ${Buffer.from(`${profilesUser}:${profilesPassword}`).toString('base64')}`;
  const settings = {
    ...{ address, version, tenant: profilesTenant, intervalMs: observability.profilesInterval },
    // What stands behind a dot would be taken for the kind of the profile.
    application:
      observability.profilesName ?? observability.serviceName.replace(/[^A-Za-z0-9_-]/g, '-'),
    authorization: profilesToken ? `Bearer ${profilesToken}` : basic,
  };
  return new ProfileExport(settings, fateOf('profiles'), log);
}
