import { ConfigError, type ConfigProblem } from '#contract/config/config';
import { defaultTenant } from '#contract/tenant/tenants';
import { shortList } from '#contract/text/short-list';
import type { Config } from '../../generated/config.ts';
import { providers as registry } from '../../generated/providers.ts';
import {
  type DeclaredTenant,
  lookAtTenants,
  parseTenants,
} from '../process/tenant/declared-tenants.ts';
import { selectProviders } from './provider-selection.ts';

type Settings = Pick<Config, 'provider' | 'tenants'>;

/**
 * The ids of the vendors that names and presets stand for, as far as they are on. What is no name of
 * any is left out: `requireTenantVendors` has told of it.
 */
export function vendorsAmong(
  names: readonly string[],
  { provider }: Pick<Settings, 'provider'>,
): readonly string[] {
  const on = new Set(selectProviders(provider, registry));
  return selectProviders(names, registry).filter((id) => on.has(id));
}

/** The tenants that may use a vendor, that of the server itself first. */
export function tenantsOfVendors({ provider, tenants }: Settings): (id: string) => string[] {
  const may = parseTenants(tenants).map(({ id, providers }) => {
    const own = providers && new Set(vendorsAmong(providers, { provider }));
    return { id, has: (vendor: string) => own?.has(vendor) ?? true };
  });
  return (vendor) => [defaultTenant, ...may.flatMap(({ id, has }) => (has(vendor) ? [id] : []))];
}

/**
 * Refuse tenants that may use vendors which there are not, or which are not on.
 *
 * @throws ConfigError with all of them
 */
export function requireTenantVendors(settings: Settings): void {
  const on = selectProviders(settings.provider, registry);
  // What is wrong with the rest of them is told by another rule.
  const { tenants } = lookAtTenants(settings.tenants);
  const problems = tenants.flatMap((tenant) => problemsOf(tenant, on));
  if (problems.length > 0) throw new ConfigError(problems);
}

function problemsOf(
  { id, providers = [] }: DeclaredTenant,
  on: readonly string[],
): readonly ConfigProblem[] {
  return providers.flatMap((name) => {
    if (Object.hasOwn(registry, name) ? on.includes(name) : isPreset(name)) return [];
    const expected = `as providers of the tenant ${id} presets, or vendors that SERVICE_PROVIDER turns on (${shortList(on)})`;
    return [{ variable: 'SERVICE_TENANTS', expected, received: JSON.stringify(name.slice(0, 80)) }];
  });
}

function isPreset(name: string): boolean {
  try {
    return selectProviders([name], registry).length > 0;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
