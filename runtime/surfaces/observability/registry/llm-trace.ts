import type { Log } from '#contract/house/log';
import { defaultTenant } from '#contract/tenant/tenants';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';
import { digestOf } from './etag.ts';
import { draftFrom } from './new-draft.ts';
import type { ProviderEntry } from './provider-entry.ts';
import { draftOf, entryWith } from './records.ts';
import type { Registry } from './registry.ts';

type LlmTraceConfig = Pick<
  ObservabilityConfig,
  'llmTrace' | 'llmTraceToo' | 'llmTraceEndpoint' | 'llmTraceKind' | 'llmTraceAuth'
>;

/** Behind all others: it gets a part of the spans alone. */
const lastPlace = 1_000_000;

/** The tool for traces of models that the settings name; nothing where it is switched off. */
export function llmTraceEntry(config: LlmTraceConfig, log: Log): ProviderEntry | undefined {
  const { llmTrace, llmTraceToo, llmTraceEndpoint: endpoint, llmTraceKind: kind } = config;
  if (!llmTrace && !llmTraceToo) return undefined;
  if (endpoint === undefined) {
    log.warn(
      'traces for models go nowhere: SERVICE_LLMTRACE_ENDPOINT names no tool that takes them',
    );
    return undefined;
  }
  const draft = draftFrom('llmtrace', 'trace', {
    ...{ name: 'Traces of models', kind, endpoint, order: lastPlace },
    spanFilter: 'gen_ai_or_service',
    auth:
      config.llmTraceAuth === 'none'
        ? { type: 'none' }
        : { type: 'header', header: 'Authorization', env: 'LLMTRACE_OTLP_AUTH_HEADER' },
  });
  const life = { createdAt: 0, createdBy: 'settings', updatedAt: 0, updatedBy: 'settings' };
  return entryWith(draft, { tenant: defaultTenant, version: 1, ...life });
}

/**
 * The registry with one back end more, which is there by the settings and cannot be changed by others.
 * Who registers one of its name has that instead.
 */
export function withEntry(registry: Registry, entry: ProviderEntry | undefined): Registry {
  if (entry === undefined) return registry;
  const isItself = ({ id, signal }: Pick<ProviderEntry, 'id' | 'signal'>) =>
    id === entry.id && signal === entry.signal;
  const snapshot: Registry['snapshot'] = async (tenant) => {
    const found = await registry.snapshot(tenant);
    // The collector is that of the server itself.
    if (tenant !== defaultTenant || found.providers.some(isItself)) return found;
    const providers = [...found.providers, entry];
    return { providers, digest: digestOf(providers.map(draftOf)) };
  };
  return {
    ...{ ...registry, snapshot },
    async find(key) {
      const { providers } = await snapshot(key.tenant);
      return isItself(key) && providers.includes(entry) ? entry : registry.find(key);
    },
  };
}
