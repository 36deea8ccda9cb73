import type { Provider, ProviderEntry } from '#contract/provider';
import type { LazySkill } from '#contract/skill';
import type { ServiceStatusResultProvider } from '../../generated/surfaces/platform/types.ts';
import type { ToolSource } from '../offer/catalogue.ts';
import type { Outbound } from '../outbound/index.ts';
import { type ProviderRegistry, selectProviders } from './provider-selection.ts';

/** Load the providers that `SERVICE_PROVIDER` names; their tools stay unloaded. */
export function loadProviders(
  wanted: readonly string[],
  registry: ProviderRegistry,
): Promise<readonly Provider[]> {
  const entries = selectProviders(wanted, registry).flatMap((id) => registry[id] ?? []);
  return Promise.all(entries.map((entry) => entry.load()));
}

/** The tools of a provider, each made callable when it is loaded. */
export function vendorTools(
  provider: Provider,
  entry: Pick<ProviderEntry, 'search'> | undefined,
  outbound: Outbound,
): ToolSource {
  const { id, title, tools } = provider;
  const source = Object.entries(tools).map(
    ([name, load]) => [name, async () => outbound.tool(provider, await load())] as const,
  );
  return { id, title, tools: source, ...(entry && { documents: entry.search }) };
}

/** The skills of providers, unloaded. */
export function providerSkills(
  providers: readonly Provider[],
  registry: ProviderRegistry,
): readonly LazySkill[] {
  return providers.flatMap(({ id }) => registry[id]?.skill ?? []);
}

/** What `service_status` says of a provider. */
export function providerStatus(
  provider: Provider,
  outbound: Outbound,
): ServiceStatusResultProvider {
  const { id, title, tools, auth } = provider;
  const state = outbound.credential(provider);
  const unset = auth.every(({ type }) => type === 'none') ? 'not_needed' : 'optional';
  return {
    id,
    title,
    tools: Object.keys(tools).length,
    credential: state === 'none' ? unset : state,
  };
}
