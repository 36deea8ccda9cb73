import type {
  NewProvider,
  ProviderSettings,
} from '../../../../generated/surfaces/observability/types.ts';
import type { ProviderDraft, Signal } from './provider-entry.ts';
import { usualUrl } from './written-url.ts';

/** What is registered when somebody says this, with what goes without saying. */
export function draftFrom(
  id: string,
  signal: Signal,
  said: ProviderSettings | NewProvider,
): ProviderDraft {
  const { otlpEndpoint, pushUrl, tenantId, justification } = said;
  return {
    ...{ id, signal, name: said.name, kind: said.kind },
    endpoint: withoutSlash(said.endpoint),
    ...(otlpEndpoint !== undefined && { otlpEndpoint: withoutSlash(otlpEndpoint) }),
    ...(pushUrl !== undefined && { pushUrl: usualUrl(pushUrl) }),
    ...(tenantId !== undefined && { tenantId }),
    auth: said.auth ?? { type: 'none' },
    tls: said.tls ?? {},
    primary: said.primary ?? false,
    order: said.order ?? 100,
    enabled: said.enabled ?? true,
    ingest: said.ingest ?? true,
    query: said.query ?? true,
    delivery: said.delivery ?? 'collector',
    ...(justification !== undefined && { justification }),
    spanFilter: said.spanFilter ?? 'none',
    labels: said.labels ?? {},
  };
}

/** Paths are put behind it. */
function withoutSlash(url: string): string {
  return usualUrl(url).replace(/\/+$/, '');
}
