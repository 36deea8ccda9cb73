import type { OwnAddress } from '#contract/tenant/own-address';
import {
  defaultTenant,
  type Tenant,
  type TenantLimits,
  type Tenants,
} from '#contract/tenant/tenants';
import { tenantAddress } from '../own-address.ts';
import type { DeclaredTenant } from './declared-tenants.ts';

/** Gives what each tenant is held to; nothing where none differs from the server. */
export function tenantLimits(
  declared: readonly DeclaredTenant[],
): ((tenant: string) => TenantLimits | undefined) | undefined {
  const own = new Map(declared.flatMap(({ id, limits }) => (limits ? [[id, limits]] : [])));
  return own.size === 0 ? undefined : (tenant) => own.get(tenant);
}

/**
 * Put the tenants together, each with its address, after that of the server itself. `vendorsOf` gives
 * the ids of the vendors that names stand for.
 */
export function createTenants(
  declared: readonly DeclaredTenant[],
  server: OwnAddress,
  vendorsOf: (names: readonly string[]) => readonly string[],
): Tenants {
  const own: Tenant = { id: defaultTenant, address: server, settings: {} };
  const others = declared.map(({ url, providers, ...tenant }): Tenant => {
    const address = tenantAddress(tenant.id, url, server);
    return { ...tenant, address, ...(providers && { providers: new Set(vendorsOf(providers)) }) };
  });
  const all = [own, ...others];
  const byId = new Map(all.map((tenant) => [tenant.id, tenant]));
  return { all, find: (id) => byId.get(id) };
}
