import { join } from 'node:path';
import type { House } from '#contract/house/house';
import type { StrangerAnswer } from '#contract/house/outbound';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';
import type { ProviderClient, ProviderRequest } from '../endpoints/back-ends.ts';
import { limits } from '../query/numbers.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import type { Registry } from '../registry/registry.ts';
import { createEmbedded, type Embedded } from './embedded.ts';

/** Everything that can be asked: what is registered, and this server where nothing is. */
export interface Queried {
  readonly providers: (tenant: string) => Promise<readonly ProviderEntry[]>;
  readonly fetch: (entry: ProviderEntry, request: ProviderRequest) => Promise<StrangerAnswer>;
  /** Entries of this server alone. */
  readonly standIns: (tenant: string) => Promise<readonly ProviderEntry[]>;
}

/** Keep the telemetry of this server, unless its operator wants none of that. */
export function keepOwn(
  {
    ownTelemetry,
    dataDir,
    tenants,
    now,
    log,
  }: Pick<House, 'ownTelemetry' | 'dataDir' | 'tenants' | 'now' | 'log'>,
  { ownHours }: Pick<ObservabilityConfig, 'ownHours'>,
): Embedded | undefined {
  if (ownTelemetry === undefined || ownHours === 0) return undefined;
  return createEmbedded({
    own: ownTelemetry,
    folder: join(dataDir, 'own-telemetry'),
    hours: ownHours,
    tenants: tenants.all.map(({ id }) => id),
    ...{ now, log },
  });
}

/** Ask the store within this process as if it were registered, for signals that nobody else has. */
export function withOwn({
  registry,
  registered,
  client,
  embedded,
}: {
  readonly registry: Pick<Registry, 'snapshot'>;
  /** Without what is there by the settings, which gets a part of the telemetry alone. */
  readonly registered: Pick<Registry, 'snapshot'>;
  readonly client: ProviderClient;
  readonly embedded: Embedded | undefined;
}): Queried {
  const standIns = async (tenant: string) =>
    embedded?.standIns(tenant, (await registered.snapshot(tenant)).providers) ?? [];
  return {
    async providers(tenant) {
      const { providers } = await registry.snapshot(tenant);
      return [...providers, ...(await standIns(tenant))];
    },
    fetch(entry, request) {
      if (!embedded?.isStandIn(entry)) return client.fetch(entry, request);
      const { path, body, timeoutMs = limits.deadlineMs } = request;
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
      return embedded.fetch(entry, {
        ...{ path, signal },
        ...(typeof body === 'string' && { body }),
      });
    },
    standIns,
  };
}
