import type { Caller } from '#contract/caller';
import type { Provider } from '../../../../generated/surfaces/observability/types.ts';
import type { ProviderEntry } from './provider-entry.ts';

/** An entry as a caller sees it: where it lies and how it is reached is for those who may change it. */
export function shownProvider(entry: ProviderEntry, caller: Pick<Caller, 'scopes'>): Provider {
  const { id, signal, name, kind, primary, order, enabled, ingest, query, delivery } = entry;
  const { spanFilter, labels, version, etag, createdBy, updatedBy } = entry;
  return {
    ...{ id, signalType: signal, name, kind, primary, order, enabled, ingest, query, delivery },
    ...{ spanFilter, labels, version, etag, createdBy, updatedBy },
    createdAt: new Date(entry.createdAt).toISOString(),
    updatedAt: new Date(entry.updatedAt).toISOString(),
    ...(mayConfigure(caller) && placeOf(entry)),
  };
}

function placeOf({
  endpoint,
  otlpEndpoint,
  pushUrl,
  tenantId,
  auth,
  tls,
  justification,
}: ProviderEntry) {
  return {
    ...{ endpoint, auth, tls },
    ...(otlpEndpoint !== undefined && { otlpEndpoint }),
    ...(pushUrl !== undefined && { pushUrl }),
    ...(tenantId !== undefined && { tenantId }),
    ...(justification !== undefined && { justification }),
  };
}

/** Whether a caller may change where telemetry goes. */
export function mayConfigure({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes === 'all' || scopes.has('observability:configure');
}
