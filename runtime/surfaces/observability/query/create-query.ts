import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import { traceIdOf } from '#contract/trace';
import type { ObservabilityEvents } from '../../../../generated/surfaces/observability/events.ts';
import { telemetryKinds } from '../../../../generated/surfaces/observability/kinds.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import type { FetchBackEnd } from './ask-provider.ts';
import type { QueryParts, RawAccess } from './federate.ts';
import { createQueries } from './queries.ts';

/** What queries need of the surface. */
export interface QueryNeeds {
  readonly providers: (tenant: string) => Promise<readonly ProviderEntry[]>;
  readonly fetch: FetchBackEnd<ProviderEntry>;
  readonly events: Pick<
    ObservabilityEvents,
    'observabilityRawDataAccessed' | 'observabilityExportRequested'
  >;
  readonly now: () => number;
  readonly exportDir: string | undefined;
}

/** How back ends are asked, whoever asks them. */
export function createAsking({
  providers,
  fetch,
  now,
}: Pick<QueryNeeds, 'providers' | 'fetch' | 'now'>): Omit<QueryParts<ProviderEntry>, 'rawAccess'> {
  return {
    providers,
    loadKind: async (kind) => telemetryKinds.find((each) => each.kind === kind)?.load(),
    fetch,
    now,
  };
}

/** Create the queries of this server: over its registry, written down in its audit log. */
export function createQuery(
  asking: ReturnType<typeof createAsking>,
  { events, exportDir }: Pick<QueryNeeds, 'events' | 'exportDir'>,
) {
  const parts: QueryParts<ProviderEntry> = {
    ...asking,
    async rawAccess(access, context) {
      await events.observabilityRawDataAccessed(factsOf(access, access.providerId, context));
    },
  };
  return createQueries(parts, {
    folder: exportDir,
    async exportRequested(access, context) {
      await events.observabilityExportRequested(factsOf(access, 'all', context));
    },
  });
}

function factsOf(
  { signal, querySha256, from, to, rows, bytes }: Omit<RawAccess, 'providerId'>,
  providerId: string,
  { caller, callId, trace }: CallContext,
) {
  return {
    ...authorOf(caller),
    subject: `${signal}/${providerId}`,
    correlation_id: callId,
    payload: {
      ...{ signal_type: signal, provider_id: providerId, query_sha256: querySha256 },
      ...{ from, to, rows, bytes, aggregated: false },
      ...(trace && { trace_id: traceIdOf(trace) }),
    },
  };
}
