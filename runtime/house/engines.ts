import type { Logger } from 'pino';
import type { Keys } from '#contract/house/house';
import type { Outbound } from '#contract/house/outbound';
import type { Config } from '../../generated/config.ts';
import { Approvals } from '../admission/confirm/approvals.ts';
import { RunningCalls } from '../admission/running-calls.ts';
import { type Audit, createAudit } from '../audit/wiring/create-audit.ts';
import { createBus, type OwnedBus } from '../bus/create-bus.ts';
import { createJobs, type OwnedJobs } from '../jobs/index.ts';
import { createLog } from '../observe/log.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { createStrangers } from '../outbound/strangers/index.ts';
import { createKeys } from '../process/secret-key.ts';
import { parseTenants } from '../process/tenant/declared-tenants.ts';
import { tenantLimits } from '../process/tenant/tenants.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import { createStore, type OwnedStore } from '../store/index.ts';

/** What works for all others. Nothing of it is open before the service is started. */
export interface Engines {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keys: Keys;
  readonly store: OwnedStore;
  readonly jobs: OwnedJobs;
  readonly bus: OwnedBus;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly running: RunningCalls;
  readonly outbound: Outbound;
}

/** @throws ConfigError */
export function createEngines(config: Config): Engines {
  const log = createLog(config.logLevel);
  const databaseUrl = readDatabaseUrl(config.databaseUrl);
  const store = createStore({ dataDir: config.dataDir, databaseUrl });
  const jobs = createJobs(store, { log });
  const metrics = createMetrics();
  const bus = createBus(config, { store, jobs, log, metrics, databaseUrl });
  const audit = createAudit(config, { store, log, databaseUrl });
  return {
    log,
    metrics,
    keys: createKeys(config),
    store,
    jobs,
    bus,
    audit,
    approvals: new Approvals({
      ...{ store, jobs, events: audit.events },
      onLoss: (err, operation) =>
        log.error({ err, operation }, 'what came of an approved call could not be stored'),
    }),
    running: new RunningCalls(
      config.callTimeoutMs,
      config.callLimit,
      tenantLimits(parseTenants(config.tenants)),
    ),
    outbound: createStrangers(config),
  };
}
