import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import { bindRoutes, bindTools } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import type { ObservabilityConfig } from '../../../generated/surfaces/observability/config.ts';
import { createObservabilityEvents } from '../../../generated/surfaces/observability/events.ts';
import { observabilityJobs } from '../../../generated/surfaces/observability/jobs.ts';
import { observabilityRoutes } from '../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTables } from '../../../generated/surfaces/observability/tables.ts';
import { observabilityTools } from '../../../generated/surfaces/observability/tools.ts';
import { createAlertDesk } from './alerts/alert-desk.ts';
import { announceAlerts } from './alerts/announce.ts';
import { openCatalog } from './alerts/catalog.ts';
import { createAlertRoutes, createAlertTools } from './alerts/handlers.ts';
import { createBrowserDesk } from './browser/browser-desk.ts';
import { createBrowserRoutes } from './browser/handlers.ts';
import { createCollectorDesk } from './collector/collector.ts';
import { countedDesk } from './collector/counted-desk.ts';
import { createCollectorRoutes, createCollectorTools } from './collector/handlers.ts';
import {
  chooseReloader,
  openWayToCollector,
  readCollectorOptions,
  wayTo,
} from './collector/read-options.ts';
import { createLeaveOut } from './collector-check/leave-out.ts';
import { observabilityCommand } from './commands.ts';
import { keepOwn, withOwn } from './embedded/with-own.ts';
import { readBackEndRules } from './endpoints/back-end-rules.ts';
import { createProviderClient } from './endpoints/back-ends.ts';
import { createGuardLog } from './guard/guard-log.ts';
import { createGuardWatch } from './guard/guard-watch.ts';
import { createHealthRoutes, createHealthTools } from './health/handlers.ts';
import { createHealthDesk } from './health/health-desk.ts';
import { createAsking, createQuery } from './query/create-query.ts';
import { createQueryRoutes, createQueryTools } from './query/handlers.ts';
import { markTelemetry } from './query/mark-telemetry.ts';
import { createRegistryRoutes, createRegistryTools } from './registry/handlers.ts';
import { llmTraceEntry, withEntry } from './registry/llm-trace.ts';
import { createRegistry } from './registry/registry.ts';

type Needs =
  | 'address'
  | 'announcements'
  | 'audit'
  | 'dataDir'
  | 'isProduction'
  | 'keys'
  | 'loadBrowserGate'
  | 'log'
  | 'metrics'
  | 'now'
  | 'outbound'
  | 'ownTelemetry'
  | 'ownPort'
  | 'secretOf'
  | 'store'
  | 'tenants';

/** Where telemetry goes, and how it is asked. */
export const surface: SurfaceModule<ObservabilityConfig, Needs> = {
  async create(house: Pick<House, Needs>, config) {
    const { now } = house;
    const rules = readBackEndRules(config, {
      isLocal: house.address.isLoopback,
      ownPort: house.ownPort,
    });
    const backEnds = house.outbound.toBackEnds(rules);
    const store = storeWith<ObservabilityTables>(house.store);
    const events = createObservabilityEvents(house.audit);
    const registered = createRegistry({ store, events, now });
    const registry = withEntry(registered, llmTraceEntry(config, house.log));
    const secrets = { prefixes: config.secretPrefixes, secretsDir: config.secretsDir };
    const client = createProviderClient(backEnds, secrets, house.secretOf);
    const embedded = keepOwn(house, config);
    const queried = withOwn({ registry, registered, client, embedded });
    const asking = createAsking({ ...queried, now });
    const queries = createQuery(asking, { events, exportDir: config.exportDir });
    const toCollector = openWayToCollector(config, house.outbound);
    const options = readCollectorOptions(config);
    const leaveOut = createLeaveOut(options, backEnds);
    const parts = { registry, client, queried, rules: { ...secrets, backEnds, leaveOut } };
    const applying = createCollectorDesk({
      ...{ registry, events, options, leaveOut, now, log: house.log },
      reloader: chooseReloader(config, { backEnds: toCollector, now }),
      binary: config.collectorBinary,
      outputPath: config.collectorOutputPath,
    });
    const desk = countedDesk(applying, house.metrics);
    const health = createHealthDesk({ ...house, registry, client, store, queried, leaveOut });
    const alerts = createAlertDesk({
      ...{ ...house, store, health, rules: asking },
      readCatalog: await openCatalog(config.alertRules),
      announce: house.announcements && announceAlerts(house.announcements),
    });
    const { telemetryIngestUrl, telemetryStoreAddress } = config;
    const toIngest = wayTo(
      [telemetryIngestUrl ?? [], telemetryStoreAddress ?? []].flat(),
      house.outbound,
    );
    const browser = createBrowserDesk(config, {
      ...{ ...house, events, embedded },
      backEnds: toIngest,
    });
    const { guardLogUrl: url } = config;
    const guardLog = url
      ? createGuardLog({ url, backEnds: toCollector, log: house.log })
      : undefined;
    return {
      admission: { guard: createGuardWatch({ ...house, guardLog }) },
      routes: bindRoutes(observabilityRoutes, {
        ...createRegistryRoutes(parts),
        ...createCollectorRoutes(desk),
        ...createHealthRoutes(health),
        ...createAlertRoutes(alerts),
        ...createQueryRoutes(queries),
        ...createBrowserRoutes(browser),
      }),
      tools: markTelemetry(
        bindTools(observabilityTools, {
          ...createRegistryTools(parts),
          ...createCollectorTools(desk),
          ...createHealthTools(health),
          ...createAlertTools(alerts),
          ...createQueryTools(queries),
        }),
      ),
      jobs: bindJobs(observabilityJobs, {
        observabilityHealth: ({ signal }) => health.checkAll(signal),
        observabilityAlerts: (run) => alerts.lookAtAll(run),
      }),
      metrics: [
        {
          name: 'service_observability_provider_up',
          help: 'Whether a back end of telemetry works, as its last checks have found it.',
          read: () => health.gauge(),
        },
      ],
      commands: {
        observability: observabilityCommand({ ...parts, ...house, health, desk, leaveOut }),
      },
      async start() {
        await embedded?.start();
      },
      async stop() {
        guardLog?.close();
        await Promise.all([
          backEnds.close(),
          toCollector.close(),
          toIngest.close(),
          embedded?.stop(),
        ]);
      },
    };
  },
};
